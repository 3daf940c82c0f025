internal import HomingMachine

/// What the batteries are doing, taken as one.
struct BatteryStateSensor: MachineSensor {
    static let description = SensorDescription(
        "battery_state", "Battery state", deviceClass: "enum", isDiagnostic: true,
        icon: "mdi:battery-charging", urgency: .prompt,
        summary: "`charging`, `discharging`, `full` or `not_charging` (plugged in, and held).")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "UPower: devices"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let state = machine.state.batteryState else { return [] }
        return [SensorReading(Self.description, .optional(state.word), icon: icon(state))]
    }

    private func icon(_ state: Battery.State) -> String? {
        switch state {
        case .charging: "mdi:battery-plus"
        case .discharging, .empty: "mdi:battery-minus"
        case .full: nil
        case .pendingCharge, .pendingDischarge: "mdi:battery"
        case .unknown: "mdi:battery-unknown"
        }
    }
}
