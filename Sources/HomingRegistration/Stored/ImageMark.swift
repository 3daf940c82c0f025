internal import Glibc
public import HomeAssistantAPI
internal import HomingJSON
public import HomingRuntime

/// The mark of a machine whose disk is going to be copied: `image.json` in the state folder.
///
/// The machine that was marked stays as it is, and takes the mark away at its next start: a mark that stays
/// would later make a moved disk a new device. Another machine that finds the mark is a copy.
public struct ImageMark: Sendable {
    /// Finding about the owner of this disk.
    public enum Finding: Equatable, Sendable {
        case unmarked
        /// The disk of the machine that was marked.
        case marked
        /// A copy on another machine.
        case copy
        /// The machine does not show yet which machine it is.
        case unclear
    }

    private struct Content: Codable {
        var version = 1
        var traits: MachineTraits
    }

    /// The problem of a machine that does not show whether it is a copy, and the remedy.
    public static let unclear = (
        message:
            "this disk is marked for copying, and this machine does not show whether it is a copy",
        hint: """
        if this machine is a copy, give the machine an id of its own. Run: sudo rm /etc/machine-id, and then: \
        sudo systemd-machine-id-setup. To stay the marked machine, run: sudo homing image prepare --undo
        """
    )

    private static let limit = 64 << 10

    private let state: String
    private var path: String { "\(state)/image.json" }

    /// - Parameter state: the state folder of all homes.
    public init(state: String) { self.state = state }

    /// Marks this machine. Throws where the file cannot be written.
    public func set(for machine: MachineTraits) throws(SystemError) {
        // Text alone: nothing in it can fail to be encoded.
        let content = (try? JSON.bytes(Content(traits: machine), pretty: true)) ?? []
        try AtomicFile.write(content + [0x0A], to: path)
    }

    /// Takes the mark away. Does nothing without a mark.
    public func remove() throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw SystemError("cannot delete \(path)")
        }
        AtomicFile.syncFolder(of: path)
    }

    /// Looks for the mark. Throws where the mark cannot be read: a device is not given up for a damaged
    /// file.
    public func look(on machine: MachineTraits) throws(SystemError) -> Finding {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try AtomicFile.read(path, limit: Self.limit) } catch {
            if error.isNotFound { return .unmarked }
            throw error
        }
        guard let content = try? JSON.decode(Content.self, from: bytes) else {
            throw SystemError("\(path) is damaged: delete it", number: EINVAL)
        }
        // An image that was made where no hardware is, as in a folder, is a copy everywhere.
        if content.traits.isEmpty { return .copy }
        switch content.traits.compareAsImage(with: machine) {
        case .another: return .copy
        case .same: return .marked
        case .unknown: return .unclear
        }
    }
}
