internal import Glibc
public import HomeAssistantAPI
internal import HomingCrypto
public import HomingRuntime

/// Makes a copied disk the disk of a machine of its own: it keeps whom to register with, and nothing that
/// the marked machine was going to send.
public struct ImageCopy: Sendable {
    /// Files that a home keeps. The registration has the address and the token. The networks that
    /// the home knows are the same for all copies.
    private static let kept = ["registration.json", "networks.json"]
    /// The files of the state folder that belong to the machine that was marked.
    private static let ofMachine = ["track.db", "data-use.json", "configuration.json"]

    private let state: String
    private let folders: HomeFolders

    /// - Parameters:
    ///   - state: the state folder (`Folders.state()`).
    ///   - folders: of the homes. Nothing may have their files open.
    public init(state: String, folders: HomeFolders) {
        self.state = state
        self.folders = folders
    }

    /// Makes a copy a machine of its own, and returns whose disk this was. A kill leaves the mark, and the
    /// next call goes on. Throws where a file cannot be written or deleted.
    ///
    /// - Parameter step: called before each step; an error that it throws ends the work there.
    public func make(
        on machine: MachineTraits,
        step: () throws(SystemError) -> Void = { () throws(SystemError) in }
    ) throws(SystemError) -> ImageMark.Finding {
        let mark = ImageMark(state: state)
        let finding = try mark.look(on: machine)
        guard finding == .copy else { return finding }
        // First: by the image's machine id, all copies would be one device.
        try step()
        let identity = try CopyIdentity(state: state).renew()
        let first = folders.first()
        _ = try folders.adoptEarlierFiles()
        for home in try folders.names() {
            try step()
            // First: without it, the marked machine's registration would be used.
            let successor =
                home == first
                ? MachineDescription.deviceID(of: identity, home: nil) : RandomToken.hex(bytes: 16)
            guard try noteCopy(home, on: machine, as: successor) else { continue }
            try step()
            try delete(in: folders.state(of: home)) { !Self.kept.contains($0) }
        }
        try step()
        try delete(in: state) { name in Self.ofMachine.contains { name.hasPrefix($0) } }
        try step()
        try mark.remove()
        return .copy
    }

    /// Returns whether the home is a copy: a home may have been registered here already.
    private func noteCopy(
        _ home: String, on present: MachineTraits, as successor: String
    ) throws(SystemError) -> Bool {
        let store = RegistrationStore(
            directory: folders.state(of: home), credentials: folders.credentials(of: home))
        do throws(RegistrationError) {
            guard var registration = try store.load() else { return true }
            var machine = registration.machine ?? RegisteredMachine(MachineTraits())
            guard machine.traits.compareAsImage(with: present) != .same else { return false }
            machine.becomeCopy(as: successor)
            registration.machine = machine
            try store.save(registration)
            return true
        } catch .system(let error) {
            throw error
        } catch {
            // The home does not open with it, and says why.
            return true
        }
    }

    private func delete(
        in folder: String, where isDeleted: (String) -> Bool
    ) throws(SystemError) {
        for name in try Folders.namesIfAny(in: folder) where isDeleted(name) {
            // Homing makes files here. Somebody else made this folder.
            var status = stat()
            if lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                continue
            }
            guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
                throw SystemError("cannot delete \(folder)/\(name)")
            }
        }
        // Before the mark goes.
        AtomicFile.syncFolder(of: "\(folder)/.")
    }
}
