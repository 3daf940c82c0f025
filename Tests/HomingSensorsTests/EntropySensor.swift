internal import HomingRuntime

@testable import HomingSensors

/// Randomness that the kernel has gathered.
struct EntropySensor: MachineSensor {
    static let description = SensorDescription(
        "entropy", "Entropy", stateClass: .measurement, unit: "bit", isDiagnostic: true,
        icon: "mdi:dice-multiple", minChange: 16,
        summary: "Bits of randomness that the kernel has gathered.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/sys/kernel/random/entropy_avail`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let path = "/proc/sys/kernel/random/entropy_avail"
        guard let bits = try machine.files.number(path) else { return [] }
        return [SensorReading(Self.description, .rounded(bits))]
    }
}
