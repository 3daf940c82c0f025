internal import HomingRuntime

/// Use of the processors since the last reading; at the first reading, since the machine started.
struct CPUUsageSensor: MachineSensor {
    static let description = SensorDescription(
        "cpu_usage", "CPU usage", stateClass: .measurement, unit: "%", isDiagnostic: true,
        icon: "mdi:cpu-64-bit", minChange: 1,
        summary: "Use of all processors since the last reading.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/stat`"

    private static let path = "/proc/stat"
    private var last: (busy: Double, all: Double) = (0, 0)
    private var share = 0.0

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let line = machine.files.line(Self.path) else { return [] }
        // cpu user nice system idle iowait irq softirq steal guest guest_nice; guests' time is in
        // user and nice already.
        let fields = line.split(separator: " ")
        let times = fields.dropFirst().prefix(8).compactMap { decimal($0) }
        guard fields.first == "cpu", times.count == min(fields.count - 1, 8), times.count >= 4
        else {
            throw SensorFailure(Self.path, holds: line)
        }
        let all = times.reduce(0, +)
        let busy = all - times[3] - (times.count > 4 ? times[4] : 0)
        defer { last = (busy, all) }
        // Two readings may follow each other before the kernel counts on.
        if all > last.all { share = min(max((busy - last.busy) / (all - last.all), 0), 1) }
        return [SensorReading(Self.description, .rounded(share * 100, 1))]
    }
}
