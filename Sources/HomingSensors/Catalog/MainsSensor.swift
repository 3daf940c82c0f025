internal import HomingMachine

/// Whether the machine is plugged in. A machine without a battery always is, and says nothing.
struct MainsSensor: MachineSensor {
    static let description = SensorDescription(
        "on_ac", "On AC power", kind: .binarySensor, deviceClass: "plug",
        icon: "mdi:power-plug", urgency: .prompt,
        summary: "Whether the machine runs on the mains; only where there is a battery.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "UPower: `OnBattery`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let power = machine.state.power
        guard power.onBattery || power.batteryPercentage != nil else { return [] }
        return [
            SensorReading(
                Self.description, .boolean(!power.onBattery),
                icon: power.onBattery ? "mdi:power-plug-off" : nil)
        ]
    }
}
