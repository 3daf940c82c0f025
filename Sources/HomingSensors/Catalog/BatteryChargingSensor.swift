internal import HomingMachine

/// Whether any battery takes a charge.
struct BatteryChargingSensor: MachineSensor {
    static let description = SensorDescription(
        "is_charging", "Is charging", kind: .binarySensor, deviceClass: "battery_charging",
        isDiagnostic: true, icon: "mdi:battery-charging", urgency: .prompt,
        summary: "Whether a battery is being charged.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "UPower: devices"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let state = machine.state.batteryState else { return [] }
        let value = state == .unknown ? SensorValue.unknown : .boolean(state == .charging)
        return [SensorReading(Self.description, value)]
    }
}
