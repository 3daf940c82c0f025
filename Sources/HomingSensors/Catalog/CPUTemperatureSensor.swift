internal import HomingRuntime

/// The processor's temperature, from the driver for it where there is one, else from a thermal zone.
struct CPUTemperatureSensor: MachineSensor {
    static let description = SensorDescription(
        "cpu_temperature", "CPU temperature", deviceClass: "temperature",
        stateClass: .measurement, unit: "°C", isDiagnostic: true, icon: "mdi:thermometer",
        minChange: 2, summary: "Temperature of the first processor.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/sys/class/hwmon`, `/sys/class/thermal`"

    /// Drivers that measure a processor, and how they call the whole of it; the best first.
    private static let drivers: [(name: String, labels: [String])] = [
        ("coretemp", ["Package id 0", "Physical id 0"]), ("k10temp", ["Tdie", "Tctl"]),
        ("zenpower", ["Tdie", "Tctl"]), ("cpu_thermal", []), ("soc_thermal", []),
    ]
    /// Beginnings of the types of thermal zones.
    private static let zones = ["x86_pkg_temp", "cpu", "soc"]

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        var degrees = try monitored(machine.files)
        if degrees == nil { degrees = try zone(machine.files) }
        return degrees.map { [SensorReading(Self.description, .rounded($0, 1))] } ?? []
    }

    private func monitored(_ files: HostFiles) throws(SensorFailure) -> Double? {
        let chips = HardwareMonitor.all(files)
        for driver in Self.drivers {
            guard let chip = chips.first(where: { $0.name == driver.name }) else { continue }
            let inputs = chip.inputs("temp")
            let whole = driver.labels.lazy.compactMap { label in
                inputs.first { chip.label("temp", $0) == label }
            }.first
            if let input = whole ?? inputs.first { return try chip.temperature(input) }
        }
        return nil
    }

    private func zone(_ files: HostFiles) throws(SensorFailure) -> Double? {
        let folder = "/sys/class/thermal"
        for zone in files.numbered("thermal_zone", in: folder) {
            guard let type = files.line("\(folder)/\(zone)/type"),
                Self.zones.contains(where: { type.hasPrefix($0) })
            else { continue }
            if let value = try files.number("\(folder)/\(zone)/temp") { return value / 1000 }
        }
        return nil
    }
}
