internal import HomingRuntime

/// What is free of the system's disk, as the companion app for iOS says it.
struct StorageSensor: MachineSensor {
    static let description = SensorDescription(
        "storage", "Storage", stateClass: .measurement, unit: "% available", icon: "mdi:database",
        minChange: 0.5, lasts: true,
        summary: "Free part of the root file system; size and free space are attributes.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/self/mountinfo`, statvfs(3)"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard try Mount.local(machine.files).contains(where: { $0.point == "/" }),
            let space = machine.space("/"), space.total > 0
        else { return [] }
        return [
            SensorReading(
                Self.description, .rounded(space.available / space.total * 100, 1),
                attributes: [
                    "total_gb": .rounded(space.total / 1e9),
                    "available_gb": .rounded(space.available / 1e9),
                ])
        ]
    }
}
