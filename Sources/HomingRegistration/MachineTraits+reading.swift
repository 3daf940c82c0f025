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
        let boards = [
            "/proc/device-tree/serial-number", "/sys/class/dmi/id/product_uuid", boardCopy,
        ]
        .compactMap { files.line($0)?.lowercased() }
        .filter { !unnumbered.contains($0) }
        let isContainer = ofContainers.contains { files.exists($0) }
        let marks =
            isContainer
            ? [] : boards.map { "board \($0)" } + addresses(files).map { "interface \($0)" }
        let system = files.line("/etc/machine-id") ?? files.line("/var/lib/dbus/machine-id")
        return MachineTraits(
            hardware: Set(marks).sorted().map { MachineFingerprint.make(machineID: $0) },
            system: system.map { MachineFingerprint.make(machineID: "system \($0)") })
    }

    /// The hardware addresses of interfaces that are part of the machine: no USB adapter, nothing
    /// virtual, no address that software chose (`NET_ADDR_PERM` is 0).
    private static func addresses(_ files: HostFiles) -> [String] {
        files.names(in: "/sys/class/net").compactMap { name in
            let folder = "/sys/class/net/\(name)"
            guard let bus = files.line("\(folder)/device/modalias"), !bus.hasPrefix("usb:"),
                files.line("\(folder)/addr_assign_type") == "0",
                let address = files.line("\(folder)/address"), address != "00:00:00:00:00:00"
            else { return nil }
            return address.lowercased()
        }
    }
}
