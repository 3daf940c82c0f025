internal import HomingRuntime

/// Load averages, from `/proc/loadavg` (proc_loadavg(5)).
struct LoadSensor: MachineSensor {
    static let descriptions = [
        description(1, "load_1m"), description(5, "load_5m"), description(15, "load_15m"),
    ]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/loadavg`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let line = machine.files.line("/proc/loadavg") else { return [] }
        let numbers = line.split(separator: " ").prefix(3).compactMap { decimal($0) }
        guard numbers.count == 3 else { throw SensorFailure("/proc/loadavg", holds: line) }
        return zip(Self.descriptions, numbers).map { SensorReading($0, .rounded($1, 2)) }
    }

    private static func description(_ minutes: Int, _ uniqueID: String) -> SensorDescription {
        SensorDescription(
            uniqueID, "Load \(minutes) min", stateClass: .measurement, isDiagnostic: true,
            icon: "mdi:chip", minChange: 0.05,
            summary: "Processes that ran or waited, averaged over \(minutes) min.")
    }
}
