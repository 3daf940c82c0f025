internal import HomingRuntime

/// Free share of the system's disk, as the companion app for iOS says it. Used share of each local
/// file system, as df(1) reckons: of the space that users can have.
struct DiskUsageSensor: MachineSensor {
    static let storage = SensorDescription(
        "storage", "Storage", stateClass: .measurement, unit: "% available", icon: "mdi:database",
        minChange: 0.5, lasts: true,
        summary: "Free part of the root file system; size and free space are attributes.")
    static let usage = SensorDescription(
        "disk_usage", "Disk usage", stateClass: .measurement, unit: "%", isDiagnostic: true,
        icon: "mdi:harddisk", minChange: 0.5, lasts: true,
        summary: "Used part of each file system on the machine's own disks, by mount point.")
    static let descriptions = [storage, usage]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/self/mountinfo`, statvfs(3)"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        try Mount.local(machine.files).flatMap { mount -> [SensorReading] in
            guard let space = machine.space(mount.point) else { return [] }
            let own = usage(mount, space).map { [$0] } ?? []
            return mount.point == "/" && space.total > 0 ? [storage(space)] + own : own
        }
    }

    private func storage(_ space: FileSystemSpace) -> SensorReading {
        SensorReading(
            Self.storage, .rounded(space.available / space.total * 100, 1),
            attributes: [
                "total_gb": .rounded(space.total / 1e9),
                "available_gb": .rounded(space.available / 1e9),
            ])
    }

    private func usage(_ mount: Mount, _ space: FileSystemSpace) -> SensorReading? {
        let used = space.total - space.free
        guard used >= 0, used + space.available > 0 else { return nil }
        let name = mount.point == "/" ? "root" : String(mount.point.dropFirst())
        return SensorReading(
            Self.usage.one(name, named: "\(Self.usage.name) \(mount.point)"),
            .rounded(used / (used + space.available) * 100, 1),
            attributes: [
                "file_system": .text(mount.type), "total_gb": .rounded(space.total / 1e9, 1),
            ])
    }
}
