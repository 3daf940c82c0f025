internal import HomingMachine

/// How warm a battery is, where it can tell.
struct BatteryTemperatureSensor: MachineSensor {
    static let description = SensorDescription(
        "battery_temperature", "Battery temperature", deviceClass: "temperature",
        stateClass: .measurement, unit: "°C", isDiagnostic: true, icon: "mdi:battery",
        minChange: 1, summary: "Temperature of the battery.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "UPower: devices"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        machine.state.eachBattery(Self.description) { $0.temperature.map { .rounded($0, 1) } }
    }
}
