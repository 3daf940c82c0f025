internal import HomingMachine

/// Watts into the batteries, negative while they give.
struct BatteryPowerSensor: MachineSensor {
    static let description = SensorDescription(
        "battery_power", "Battery power", deviceClass: "power", stateClass: .measurement,
        unit: "W", isDiagnostic: true, icon: "mdi:battery-plus", minChange: 1,
        summary: "Power into all batteries together; negative while they discharge.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "UPower: devices"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let rates = (machine.state.batteries ?? []).compactMap { battery in
            battery.rate.map { signed($0, battery.state) }
        }
        guard !rates.isEmpty else { return [] }
        return [SensorReading(Self.description, .rounded(rates.reduce(0, +), 1))]
    }

    private func signed(_ rate: Double, _ state: Battery.State) -> Double {
        switch state {
        case .charging: rate
        case .discharging, .empty: -rate
        default: 0
        }
    }
}
