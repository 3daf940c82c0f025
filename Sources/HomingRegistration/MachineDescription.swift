internal import Glibc
public import HomeAssistantAPI
internal import HomingBase
internal import HomingCrypto
public import HomingRuntime

/// Description of this machine: its name, maker and model, and its system.
public enum MachineDescription {
    /// Reads it from the hostname, machine-info(5), DMI or the device tree, and os-release(5).
    ///
    /// - Parameters:
    ///   - name: instead of the machine's own name.
    ///   - id: the identity of an earlier registration, which is kept.
    ///   - home: the id of a home for which this machine is a device of its own.
    public static func read(
        _ files: HostFiles = HostFiles(), name: String? = nil, id: String? = nil,
        home: String? = nil
    ) -> DeviceDescription {
        let system = files.assignments("/etc/os-release")
        let (manufacturer, model) = hardware(files)
        return DeviceDescription(
            id: id ?? identity(files, home), name: name ?? machineName(files),
            manufacturer: manufacturer, model: model, osName: system["NAME"] ?? "Linux",
            osVersion: system["VERSION_ID"] ?? system["BUILD_ID"] ?? "rolling")
    }

    private static func machineName(_ files: HostFiles) -> String {
        let pretty = files.assignments("/etc/machine-info")["PRETTY_HOSTNAME"]
        if let pretty, DeviceName.problem(with: pretty) == nil { return pretty }
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "linux" }
        let name = String(
            decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(name.prefix { $0 != "." })
    }

    /// Name of hardware that does not tell its own name.
    private static let unnamed = "Linux"

    /// PCs have DMI, single-board computers a device tree; a container may have neither.
    private static func hardware(_ files: HostFiles) -> (manufacturer: String, model: String) {
        if let board = files.line("/proc/device-tree/model") {
            let maker = board.hasPrefix("Raspberry Pi") ? "Raspberry Pi Ltd" : board
            return (maker.split(separator: ",").first.map(String.init) ?? maker, board)
        }
        return (
            meaningful(files.line("/sys/class/dmi/id/sys_vendor")) ?? unnamed,
            meaningful(files.line("/sys/class/dmi/id/product_name")) ?? unnamed
        )
    }

    /// Boards whose maker left the form blank say so in these words.
    private static func meaningful(_ text: String?) -> String? {
        let blanks = ["to be filled by o.e.m.", "system manufacturer", "system product name"]
        guard let text, !blanks.contains(text.lowercased()) else { return nil }
        return text
    }

    /// Derived from the machine id by a keyed hash, as machine-id(5) asks; without one a random
    /// identity, which the registration then keeps.
    private static func identity(_ files: HostFiles, _ home: String?) -> String {
        let machineID = files.line("/etc/machine-id") ?? files.line("/var/lib/dbus/machine-id")
        return machineID.map { deviceID(of: $0, home: home) } ?? RandomToken.hex(bytes: 16)
    }

    /// The device id of a machine: one for each home.
    static func deviceID(of machineID: String, home: String?) -> String {
        MachineFingerprint.make(machineID: home.map { "\(machineID) \($0)" } ?? machineID)
    }
}
