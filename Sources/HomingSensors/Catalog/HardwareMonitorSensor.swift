/// All temperatures and fans the kernel knows of, but those of disks, which have a sensor of their own.
struct HardwareMonitorSensor: MachineSensor {
    static let temperature = SensorDescription(
        "hwmon_temperature", "Temperature", deviceClass: "temperature",
        stateClass: .measurement, unit: "°C", isDiagnostic: true, icon: "mdi:thermometer",
        minChange: 2, offBecause: "a machine has dozens, and few mean something",
        summary: "Every temperature that the kernel's drivers measure.")
    static let fan = SensorDescription(
        "fan_speed", "Fan", stateClass: .measurement, unit: "rpm", isDiagnostic: true,
        icon: "mdi:fan", minChange: 100, summary: "Speed of each fan.")
    static let descriptions = [temperature, fan]
    static let occasion = SensorOccasion.tick
    static let reads = "`/sys/class/hwmon`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        var readings: [SensorReading] = []
        var alike: [String: Int] = [:]
        for chip in HardwareMonitor.all(machine.files)
        where !DiskMonitor.drivers.contains(chip.name) {
            alike[chip.name, default: 0] += 1
            // A second chip of the same kind is told apart by its number.
            let count = alike[chip.name] ?? 1
            let name = count == 1 ? chip.name : "\(chip.name) \(count)"
            for number in chip.inputs("temp") {
                guard let degrees = try chip.temperature(number) else { continue }
                let part = chip.label("temp", number) ?? "temp\(number)"
                readings.append(
                    SensorReading(Self.temperature.one("\(name) \(part)"), .rounded(degrees, 1)))
            }
            for number in chip.inputs("fan") {
                guard let speed = try chip.fan(number) else { continue }
                let part = chip.label("fan", number) ?? "fan\(number)"
                readings.append(SensorReading(Self.fan.one("\(name) \(part)"), .rounded(speed)))
            }
        }
        return readings
    }
}
