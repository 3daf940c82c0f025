public import HomingCore

/// The charge of all batteries together, as UPower's DisplayDevice tells it.
public struct BatteryLevelSensor: MachineSensor {
    public static let descriptions = [
        SensorDescription(
            "battery_level", "Battery level", deviceClass: "battery", stateClass: .measurement,
            unit: "%", icon: "mdi:battery", urgency: .prompt, minChange: 1,
            summary: "Charge of all batteries together.")
    ]
    public static let occasion = SensorOccasion.change

    public init() {}

    public mutating func read(_ machine: Machine) throws(SensorFailure) -> [SensorReading] {
        guard let percentage = machine.state.power.batteryPercentage else { return [] }
        return [SensorReading(Self.descriptions[0], .rounded(percentage))]
    }
}
