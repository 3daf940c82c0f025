internal import HomingRuntime

/// The running kernel, as `uname -r` says.
struct KernelSensor: MachineSensor {
    static let description = SensorDescription(
        "kernel", "Kernel", isDiagnostic: true, icon: "mdi:penguin", lasts: true,
        summary: "Release of the running kernel.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/sys/kernel/osrelease`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let release = machine.files.line("/proc/sys/kernel/osrelease") else { return [] }
        return [SensorReading(Self.description, .text(release))]
    }
}
