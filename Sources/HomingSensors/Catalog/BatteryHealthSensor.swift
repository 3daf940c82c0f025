internal import HomingMachine

/// How much of its first capacity a battery has left.
struct BatteryHealthSensor: MachineSensor {
    static let description = SensorDescription(
        "battery_health", "Battery health", stateClass: .measurement, unit: "%",
        isDiagnostic: true, icon: "mdi:battery-heart-variant", minChange: 1, lasts: true,
        summary: "What a full battery holds, in percent of what it was made for.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "UPower: devices"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        machine.state.eachBattery(Self.description) { $0.capacity.map { .rounded($0) } }
    }
}
