public import HomeAssistantAPI
internal import HomingBase
internal import HomingCrypto
public import HomingRuntime

extension MachineTraits {
    /// A copy of the board's number that the daemon's user may read; packaging makes it at boot, as the
    /// kernel shows the number to root alone.
    private static let boardCopy = "/run/homing.board"

    /// Numbers of boards whose maker gave them none.
    private static let unnumbered = [
        "03000200-0400-0500-0006-000700080009", "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff", "0000000000000000",
    ]

    /// Files that only a container has. A container shows the board of its host, and moves from host to host.
    private static let ofContainers = [
        "/run/systemd/container", "/run/.containerenv", "/.dockerenv",
    ]

    /// Reads the numbers of the board and of built-in network interfaces, and the id of the installed
    /// system.
    public static func read(_ files: HostFiles = HostFiles()) -> MachineTraits {
        let isContainer = ofContainers.contains { files.exists($0) }
        let marks =
            isContainer
            ? []
            : boards(files).map { fingerprint($0, kind: "board") }
                + addresses(files).map { fingerprint($0, kind: "interface") }
        let system = files.line("/etc/machine-id") ?? files.line("/var/lib/dbus/machine-id")
        return MachineTraits(
            hardware: Set(marks).sorted(),
            system: system.map { fingerprint($0, kind: "system") })
    }

    private static func fingerprint(_ text: String, kind: String) -> String {
        "\(kind)-" + MachineFingerprint.make(machineID: "\(kind) \(text)")
    }

    /// The serial number of a board with a device tree, and the UUID of a PC's board.
    private static func boards(_ files: HostFiles) -> [String] {
        let serial = files.line("/proc/device-tree/serial-number")?.lowercased()
        let uuids = ["/sys/class/dmi/id/product_uuid", boardCopy]
            .compactMap { files.line($0)?.lowercased() }.filter(isUUID)
        return (uuids + [serial].compactMap { $0 }).filter {
            !unnumbered.contains($0) && $0.utf8.count <= 64
        }
    }

    private static func isUUID(_ text: String) -> Bool {
        text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [
            8, 4, 4, 4, 12,
        ]
            && text.allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    /// The hardware addresses of interfaces that are part of the machine: no adapter that can be pulled
    /// out, nothing virtual, no address that software chose (`NET_ADDR_PERM` is 0).
    private static func addresses(_ files: HostFiles) -> [String] {
        files.names(in: "/sys/class/net").compactMap { name in
            let folder = "/sys/class/net/\(name)"
            guard let bus = files.line("\(folder)/device/modalias"), !bus.hasPrefix("usb:"),
                files.line("\(folder)/device/removable") != "removable",
                files.line("\(folder)/addr_assign_type") == "0",
                let address = files.line("\(folder)/address")?.lowercased(), isOfOne(address)
            else { return nil }
            return address
        }
    }

    /// Whether this is an Ethernet address of one interface: six bytes, not zero, and no group's.
    private static func isOfOne(_ address: String) -> Bool {
        let bytes = address.split(separator: ":", omittingEmptySubsequences: false)
            .map { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
        guard bytes.count == 6, let first = bytes[0], !bytes.contains(nil) else { return false }
        return first & 1 == 0 && bytes.contains { $0 != 0 }
    }
}
