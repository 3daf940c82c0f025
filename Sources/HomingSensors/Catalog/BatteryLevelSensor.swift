internal import HomingMachine

/// The charge of all batteries together, as UPower's DisplayDevice tells it, and of each if there are
/// several.
struct BatteryLevelSensor: MachineSensor {
    static let description = SensorDescription(
        "battery_level", "Battery level", deviceClass: "battery", stateClass: .measurement,
        unit: "%", icon: "mdi:battery", minChange: 1,
        summary: "Charge of all batteries together; of each one if there are several.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "UPower: DisplayDevice, devices"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let charge = machine.state.power.batteryPercentage else { return [] }
        let state = machine.state.batteryState
        let all = SensorReading(
            Self.description, .rounded(charge), icon: batteryIcon(charge, state))
        guard let batteries = machine.state.batteries, batteries.count > 1 else { return [all] }
        return [all]
            + batteries.compactMap { battery in
                guard let charge = battery.percentage else { return nil }
                return SensorReading(
                    Self.description.one(
                        battery.name, named: "\(Self.description.name) \(battery.name)"),
                    .rounded(charge), icon: batteryIcon(charge, battery.state))
            }
    }
}

/// The icon of the companion apps for a charge in percent.
private func batteryIcon(_ charge: Double, _ state: Battery.State?) -> String {
    guard charge.isFinite else { return "mdi:battery-unknown" }
    let tens = Int(min(max(charge, 0), 100) / 10) * 10
    guard state == .charging else {
        if tens == 0 { return "mdi:battery-outline" }
        return tens == 100 ? "mdi:battery" : "mdi:battery-\(tens)"
    }
    return tens == 0 ? "mdi:battery-charging-outline" : "mdi:battery-charging-\(tens)"
}
