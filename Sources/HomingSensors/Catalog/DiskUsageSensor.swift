internal import HomingRuntime

/// How full each local file system is, as df(1) reckons: of what users can have.
struct DiskUsageSensor: MachineSensor {
    static let description = SensorDescription(
        "disk_usage", "Disk usage", stateClass: .measurement, unit: "%", isDiagnostic: true,
        icon: "mdi:harddisk", minChange: 0.5, lasts: true,
        summary: "Used part of each file system on the machine's own disks, by mount point.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/self/mountinfo`, statvfs(3)"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        try Mount.local(machine.files).compactMap { mount in
            guard let space = machine.space(mount.point) else { return nil }
            let used = space.total - space.free
            guard used >= 0, used + space.available > 0 else { return nil }
            let name = mount.point == "/" ? "root" : String(mount.point.dropFirst())
            return SensorReading(
                Self.description.one(name, named: "\(Self.description.name) \(mount.point)"),
                .rounded(used / (used + space.available) * 100, 1),
                attributes: [
                    "file_system": .text(mount.type), "total_gb": .rounded(space.total / 1e9, 1),
                ])
        }
    }
}
