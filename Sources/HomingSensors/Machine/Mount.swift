internal import HomingRuntime

/// A file system of the machine's own, as `/proc/self/mountinfo` lists it (proc_pid_mountinfo(5)).
struct Mount: Equatable {
    /// Folder where the file system is mounted: `/home`.
    let point: String
    /// `ext4`, `btrfs`, …
    let type: String
    /// Major and minor number: the same for several mounts of one file system.
    let device: String

    /// File systems on the machine's own disks. What is not here may be of the network (`nfs`,
    /// `cifs`) or a program's (`fuse`), and asking it how full it is may never come back.
    private static let local: Set<Substring> = [
        "bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "jfs", "nilfs2", "ntfs3",
        "reiserfs", "vfat", "xfs", "zfs",
    ]
    /// File systems in memory and in images, which are no disks, but through which a path may lead.
    private static let harmless: Set<Substring> = [
        "devtmpfs", "iso9660", "overlay", "ramfs", "rootfs", "squashfs", "tmpfs",
    ]

    /// The local file systems, each once, by their mount points; those reached only through a file
    /// system that may block are left out.
    static func local(_ files: HostFiles) throws(SensorFailure) -> [Mount] {
        let path = "/proc/self/mountinfo"
        var found: [Mount] = []
        var doubtful: [String] = []
        for line in files.lines(path) {
            // 36 35 98:0 /root /mnt/point rw,noatime master:1 - ext3 /dev/root rw,errors=continue
            let parts = line.split(separator: " ")
            guard let dash = parts.firstIndex(of: "-"), dash >= 6, parts.count > dash + 1 else {
                throw SensorFailure(path, holds: line)
            }
            let (point, type) = (unescaped(parts[4]), parts[dash + 1])
            if local.contains(type) {
                found.append(Mount(point: point, type: String(type), device: String(parts[2])))
            } else if !harmless.contains(type) {
                doubtful.append(point)
            }
        }
        found.removeAll { mount in doubtful.contains { mount.point.hasPrefix("\($0)/") } }
        var devices: Set<String> = []
        return found.sorted { ($0.point.utf8.count, $0.point) < ($1.point.utf8.count, $1.point) }
            .filter { devices.insert($0.device).inserted }.sorted { $0.point < $1.point }
    }

    /// The kernel writes a blank as `\040`, and tab, line feed and backslash too.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(3), as: UTF8.self)
            if byte == UInt8(ascii: "\\"), digits.utf8.count == 3,
                let code = UInt8(digits, radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
