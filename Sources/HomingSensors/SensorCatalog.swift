/// All sensors there are: one line each, in the order of the documentation.
public enum SensorCatalog {
    /// Those that tell of the machine, whichever home is told.
    public static let ofMachine: [any MachineSensor.Type] = [
        BatteryLevelSensor.self,
        BatteryStateSensor.self,
        BatteryChargingSensor.self,
        BatteryPowerSensor.self,
        BatteryHealthSensor.self,
        BatteryTemperatureSensor.self,
        BatteryCyclesSensor.self,
        MainsSensor.self,
        PowerProfileSensor.self,
        SSIDSensor.self,
        BSSIDSensor.self,
        WiFiSignalSensor.self,
        WiFiFrequencySensor.self,
        ConnectionTypeSensor.self,
        ConnectionNameSensor.self,
        MeteredSensor.self,
        VPNSensor.self,
        IPAddressSensor.self,
        NetworkTrafficSensor.self,
        LoadSensor.self,
        CPUUsageSensor.self,
        CPUTemperatureSensor.self,
        HardwareMonitorSensor.self,
        MemorySensor.self,
        StorageSensor.self,
        DiskUsageSensor.self,
        DiskTemperatureSensor.self,
        LastRebootSensor.self,
        KernelSensor.self,
        DistributionSensor.self,
        PendingUpdatesSensor.self,
        RebootRequiredSensor.self,
        ActiveSensor.self,
        ScreenSensor.self,
        UsersSensor.self,
        CameraSensor.self,
        SoundSensor.self,
        MediaSensor.self,
        GPSFixSensor.self,
        GPSSatellitesSensor.self,
        GPSPositionSensor.self,
        LastFixSensor.self,
    ]

    /// Those that tell of a home's own delivery.
    public static let ofHome: [any MachineSensor.Type] = [HomingSensor.self]

    public static let sensors = ofMachine + ofHome

    /// Every description of the catalogue.
    public static var descriptions: [SensorDescription] { sensors.flatMap { $0.descriptions } }
}
