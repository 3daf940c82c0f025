internal import HomingRuntime

/// Whether the machine listens, and whether it plays: some stream of a sound card runs. Headsets on
/// Bluetooth are no sound cards to the kernel.
struct SoundSensor: MachineSensor {
    static let input = SensorDescription(
        "microphone_in_use", "Audio input in use", kind: .binarySensor, icon: "mdi:microphone",
        urgency: .prompt, summary: "Whether a program records from a sound card's microphone.")
    static let output = SensorDescription(
        "audio_output_in_use", "Audio output in use", kind: .binarySensor,
        icon: "mdi:volume-high", urgency: .prompt,
        offBecause: "it changes with every sound",
        summary: "Whether a program plays to a sound card.")
    static let descriptions = [input, output]
    static let occasion = SensorOccasion.devices
    static let reads = "`/proc/asound/card*/pcm*/sub*/status`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let running = try (
            input: isRunning("c", machine.files), output: isRunning("p", machine.files)
        )
        return [
            running.input.map {
                SensorReading(Self.input, .boolean($0), icon: $0 ? nil : "mdi:microphone-off")
            },
            running.output.map {
                SensorReading(Self.output, .boolean($0), icon: $0 ? nil : "mdi:volume-low")
            },
        ].compactMap { $0 }
    }

    /// Whether any stream runs; `nil` if there is none of that direction, `c`apture or `p`layback.
    private func isRunning(_ direction: String, _ files: HostFiles) throws(SensorFailure) -> Bool? {
        var found: Bool?
        for card in files.numbered("card", in: "/proc/asound") {
            let folder = "/proc/asound/\(card)"
            let streams = files.names(in: folder).filter {
                $0.hasPrefix("pcm") && $0.hasSuffix(direction)
            }
            for stream in streams {
                for part in files.numbered("sub", in: "\(folder)/\(stream)") {
                    let path = "\(folder)/\(stream)/\(part)/status"
                    guard let line = files.line(path) else { continue }
                    let runs = try state(line, path)
                    found = (found ?? false) || runs
                }
            }
        }
        return found
    }

    /// The first line is `closed`, or `state: RUNNING` and the like.
    private func state(_ line: String, _ path: String) throws(SensorFailure) -> Bool {
        if line == "closed" { return false }
        guard line.hasPrefix("state: ") else { throw SensorFailure(path, holds: line) }
        return line == "state: RUNNING"
    }
}
