internal import HomingRuntime

/// The distribution, by the name it gives itself (os-release(5)).
struct DistributionSensor: MachineSensor {
    static let description = SensorDescription(
        "distribution", "Distribution", isDiagnostic: true, icon: "mdi:linux", lasts: true,
        summary: "Name and version of the distribution.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/etc/os-release`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let release = machine.files.assignments("/etc/os-release")
        guard let name = release["PRETTY_NAME"] ?? release["NAME"] else { return [] }
        var attributes: [String: SensorValue] = [:]
        for (key, field) in [
            ("id", "ID"), ("version", "VERSION_ID"), ("codename", "VERSION_CODENAME"),
        ] {
            if let value = release[field] { attributes[key] = .text(value) }
        }
        return [SensorReading(Self.description, .text(name), attributes: attributes)]
    }
}
