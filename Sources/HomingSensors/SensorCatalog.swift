public import HomingCore

/// All sensors there are: one line each, in the order of the documentation.
public enum SensorCatalog {
    public static let sensors: [any MachineSensor.Type] = [
        BatteryLevelSensor.self,
        LoadSensor.self,
    ]

    /// Every description of the catalogue.
    public static var descriptions: [SensorDescription] { sensors.flatMap { $0.descriptions } }
}
