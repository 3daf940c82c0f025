internal import HomingMachine

extension MachineState {
    /// All batteries taken as one.
    var batteryState: Battery.State? {
        guard let batteries, !batteries.isEmpty else { return nil }
        let states = batteries.map(\.state)
        if states.contains(.charging) { return .charging }
        if states.contains(.discharging) || states.contains(.empty) { return .discharging }
        if states.allSatisfy({ $0 == .full }) { return .full }
        return states.allSatisfy { $0 == .unknown } ? .unknown : .pendingCharge
    }

    /// A reading of each battery: under the description itself for the first, which on most machines
    /// is the only one, and under one of its own for each further one.
    func eachBattery(
        _ description: SensorDescription, _ reading: (Battery) -> SensorValue?
    ) -> [SensorReading] {
        (batteries ?? []).enumerated().compactMap { index, battery in
            guard let value = reading(battery) else { return nil }
            return SensorReading(
                index == 0 ? description : description.one(battery.name), value,
                attributes: battery.model.map { ["model": .text($0)] } ?? [:])
        }
    }
}

extension Battery.State {
    /// Android's word for it.
    var word: String? {
        switch self {
        case .unknown: nil
        case .charging: "charging"
        case .discharging, .empty: "discharging"
        case .full: "full"
        case .pendingCharge, .pendingDischarge: "not_charging"
        }
    }
}
