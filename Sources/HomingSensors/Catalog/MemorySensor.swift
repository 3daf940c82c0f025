internal import HomingRuntime

/// Memory and swap that are taken (proc_meminfo(5)).
struct MemorySensor: MachineSensor {
    static let memory = SensorDescription(
        "memory_usage", "Memory usage", stateClass: .measurement, unit: "%", isDiagnostic: true,
        icon: "mdi:memory", minChange: 1,
        summary: "Memory in use, in percent; the size is an attribute.")
    static let swap = SensorDescription(
        "swap_usage", "Swap usage", stateClass: .measurement, unit: "%", isDiagnostic: true,
        icon: "mdi:swap-horizontal", minChange: 1,
        summary: "Swap in use, in percent; only with swap.")
    static let descriptions = [memory, swap]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/meminfo`"

    private static let path = "/proc/meminfo"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let values = try amounts(machine.files)
        guard !values.isEmpty else { return [] }
        return [
            reading(Self.memory, values["MemTotal"], values["MemAvailable"]),
            reading(Self.swap, values["SwapTotal"], values["SwapFree"]),
        ].compactMap { $0 }
    }

    private func reading(
        _ description: SensorDescription, _ total: Double?, _ free: Double?
    ) -> SensorReading? {
        guard let total, let free, total > 0 else { return nil }
        let share = min(max(1 - free / total, 0), 1)
        return SensorReading(
            description, .rounded(share * 100, 1),
            attributes: ["total_gib": .rounded(total / 1_048_576, 1)])
    }

    /// Kibibytes by name, from lines as `MemTotal:       16116688 kB`.
    private func amounts(_ files: HostFiles) throws(SensorFailure) -> [String: Double] {
        let wanted: Set<Substring> = ["MemTotal", "MemAvailable", "SwapTotal", "SwapFree"]
        var found: [String: Double] = [:]
        let lines = files.lines(Self.path)
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard let name = parts.first, wanted.contains(name) else { continue }
            guard parts.count == 2, let text = parts[1].split(separator: " ").first,
                let amount = decimal(text)
            else { throw SensorFailure(Self.path, holds: line) }
            found[String(name)] = amount
        }
        if let first = lines.first, found["MemTotal"] == nil {
            throw SensorFailure(Self.path, holds: first)
        }
        return found
    }
}
