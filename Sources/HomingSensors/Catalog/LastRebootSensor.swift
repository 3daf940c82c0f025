internal import HomingRuntime

/// Time at which the machine started. The kernel reckons it back from the clock, so the time moves
/// a little with each step of the clock. The sensor believes only a move of more than a minute.
struct LastRebootSensor: MachineSensor {
    static let description = SensorDescription(
        "last_reboot", "Last reboot", deviceClass: "timestamp", isDiagnostic: true,
        icon: "mdi:restart", lasts: true, summary: "When the machine started.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/stat`"

    private static let path = "/proc/stat"
    private var known: Seconds?

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let lines = machine.files.lines(Self.path)
        guard let first = lines.first else { return [] }
        guard let line = lines.first(where: { $0.hasPrefix("btime ") }) else {
            throw SensorFailure(Self.path, holds: first)
        }
        guard let time = decimal(line.dropFirst("btime ".count)) else {
            throw SensorFailure(Self.path, holds: line)
        }
        let shown = known.map { abs($0 - time) <= 60 ? $0 : time } ?? time
        known = shown
        return [SensorReading(Self.description, .timestamp(shown))]
    }
}
