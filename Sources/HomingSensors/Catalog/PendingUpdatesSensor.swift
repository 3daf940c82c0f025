internal import HomingBase
internal import HomingRuntime

/// Number of packages that could be updated, where the distribution notes the number down: Ubuntu's
/// update-notifier does. To count the packages ourselves would keep a processor busy for seconds; a
/// script can count them (see docs/sensors.md).
struct PendingUpdatesSensor: MachineSensor {
    static let description = SensorDescription(
        "pending_updates", "Pending updates", stateClass: .measurement, unit: "packages",
        isDiagnostic: true, icon: "mdi:package-up", lasts: true,
        summary: "Packages that could be updated, on Ubuntu and its relatives.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/var/lib/update-notifier/updates-available`"

    private static let path = "/var/lib/update-notifier/updates-available"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let lines = machine.files.lines(Self.path)
        guard let first = lines.first else { return [] }
        // 12 updates can be applied immediately.
        // 5 of these updates are standard security updates.
        let counts = lines.compactMap { line in
            line.split(separator: " ").first.flatMap { Int($0) }.map { ($0, line) }
        }
        guard let (all, _) = counts.first, all >= 0 else {
            throw SensorFailure(Self.path, holds: first)
        }
        let security = counts.dropFirst().first { $0.1.holds("security") }
        return [
            SensorReading(
                Self.description, .whole(all),
                attributes: security.map { ["security": .whole($0.0)] } ?? [:])
        ]
    }
}
