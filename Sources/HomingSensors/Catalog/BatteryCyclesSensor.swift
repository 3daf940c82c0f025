internal import HomingMachine

/// How often a battery has been charged.
struct BatteryCyclesSensor: MachineSensor {
    static let description = SensorDescription(
        "battery_cycles", "Battery cycle count", stateClass: .totalIncreasing,
        isDiagnostic: true, icon: "mdi:battery-sync", lasts: true,
        summary: "Full charges in the battery's life.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "UPower: devices"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        machine.state.eachBattery(Self.description) { $0.cycles.map { .whole($0) } }
    }
}
