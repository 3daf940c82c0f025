internal import HomingMachine

/// The batteries, all of them taken as one and each by itself, and whether the machine is plugged in.
/// A machine without a battery always is, and says nothing.
struct BatterySensor: MachineSensor {
    static let level = SensorDescription(
        "battery_level", "Battery level", deviceClass: "battery", stateClass: .measurement,
        unit: "%", icon: "mdi:battery", minChange: 1,
        summary: "Charge of all batteries, and of each battery.")
    static let state = SensorDescription(
        "battery_state", "Battery state", deviceClass: "enum", isDiagnostic: true,
        icon: "mdi:battery-charging", urgency: .prompt,
        summary: "`charging`, `discharging`, `full` or `not_charging` (plugged in, and held).")
    static let charging = SensorDescription(
        "is_charging", "Is charging", kind: .binarySensor, deviceClass: "battery_charging",
        isDiagnostic: true, icon: "mdi:battery-charging", urgency: .prompt,
        summary: "Whether a battery is being charged.")
    static let power = SensorDescription(
        "battery_power", "Battery power", deviceClass: "power", stateClass: .measurement,
        unit: "W", isDiagnostic: true, icon: "mdi:battery-plus", minChange: 1,
        summary: "Power into all batteries; negative while discharging.")
    static let health = SensorDescription(
        "battery_health", "Battery health", stateClass: .measurement, unit: "%",
        isDiagnostic: true, icon: "mdi:battery-heart-variant", minChange: 1, lasts: true,
        summary: "Capacity, in percent of the capacity when new.")
    static let temperature = SensorDescription(
        "battery_temperature", "Battery temperature", deviceClass: "temperature",
        stateClass: .measurement, unit: "°C", isDiagnostic: true, icon: "mdi:battery",
        minChange: 1, summary: "Temperature of the battery.")
    static let cycles = SensorDescription(
        "battery_cycles", "Battery cycle count", stateClass: .totalIncreasing,
        isDiagnostic: true, icon: "mdi:battery-sync", lasts: true,
        summary: "Full charges in the battery's life.")
    static let mains = SensorDescription(
        "on_ac", "On AC power", kind: .binarySensor, deviceClass: "plug",
        icon: "mdi:power-plug", urgency: .prompt,
        summary: "Whether the machine runs on mains power; only with a battery.")
    static let descriptions = [level, state, charging, power, health, temperature, cycles, mains]
    static let occasion = SensorOccasion.change
    static let reads = "UPower"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let (all, batteries) = (machine.state, machine.state.batteries ?? [])
        var readings = levels(all, batteries)
        if let state = all.batteryState {
            let isCharging = SensorValue.boolean(state == .charging)
            readings += [
                SensorReading(Self.state, .optional(state.word), icon: icon(state)),
                SensorReading(Self.charging, state == .unknown ? .unknown : isCharging),
            ]
        }
        let rates = batteries.compactMap(\.signedRate)
        if !rates.isEmpty {
            readings.append(SensorReading(Self.power, .rounded(rates.reduce(0, +), 1)))
        }
        readings += all.eachBattery(Self.health) { $0.capacity.map { .rounded($0) } }
        readings += all.eachBattery(Self.temperature) { $0.temperature.map { .rounded($0, 1) } }
        readings += all.eachBattery(Self.cycles) { $0.cycles.map { .whole($0) } }
        let isUnplugged = all.power.onBattery
        if isUnplugged || all.power.batteryPercentage != nil {
            let icon = isUnplugged ? "mdi:power-plug-off" : nil
            readings.append(SensorReading(Self.mains, .boolean(!isUnplugged), icon: icon))
        }
        return readings
    }

    private func levels(_ all: MachineState, _ batteries: [Battery]) -> [SensorReading] {
        guard let charge = all.power.batteryPercentage else { return [] }
        let together = SensorReading(
            Self.level, .rounded(charge), icon: levelIcon(charge, all.batteryState))
        guard batteries.count > 1 else { return [together] }
        return [together]
            + batteries.compactMap { battery in
                guard let charge = battery.percentage else { return nil }
                return SensorReading(
                    Self.level.one(battery.name), .rounded(charge),
                    icon: levelIcon(charge, battery.state))
            }
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

    /// The icon of the companion apps for a charge in percent.
    private func levelIcon(_ charge: Double, _ state: Battery.State?) -> String {
        guard charge.isFinite else { return "mdi:battery-unknown" }
        let tens = Int(min(max(charge, 0), 100) / 10) * 10
        guard state == .charging else {
            if tens == 0 { return "mdi:battery-outline" }
            return tens == 100 ? "mdi:battery" : "mdi:battery-\(tens)"
        }
        return tens == 0 ? "mdi:battery-charging-outline" : "mdi:battery-charging-\(tens)"
    }
}

extension Battery {
    /// Watts into it, negative while it gives.
    fileprivate var signedRate: Double? {
        switch state {
        case .charging: rate
        case .discharging, .empty: rate.map { -$0 }
        default: rate.map { _ in 0 }
        }
    }
}
