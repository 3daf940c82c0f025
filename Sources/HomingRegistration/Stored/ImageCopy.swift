internal import Glibc
public import HomeAssistantAPI
public import HomingRuntime

/// Makes a copied disk the disk of a machine of its own: it keeps whom to register with, and nothing that
/// the marked machine was going to send.
public struct ImageCopy: Sendable {
    /// What a home keeps: its registration, for the address and the token; and the networks that it
    /// knows, which are the same for all copies.
    private static let kept = ["registration.json", "networks.json"]
    /// The files of the state folder that belong to the machine that was marked.
    private static let ofMachine = ["track.db", "data-use.json"]

    private let state: String
    private let folders: HomeFolders

    /// - Parameters:
    ///   - state: the state folder (`Folders.state()`).
    ///   - folders: of the homes. Nothing may have their files open.
    public init(state: String, folders: HomeFolders) {
        self.state = state
        self.folders = folders
    }

    /// Does so on a copy alone, and returns whether this is a copy. A kill leaves the mark, and the next
    /// start goes on.
    ///
    /// - Parameter step: called before each step; an error that it throws ends the work there.
    public func make(
        on machine: MachineTraits,
        step: () throws(SystemError) -> Void = { () throws(SystemError) in }
    ) throws(SystemError) -> Bool {
        let mark = ImageMark(state: state)
        guard try mark.makesCopy(of: machine) else { return false }
        for home in try folders.names() {
            try step()
            // First: without it, the marked machine's registration would be used.
            try noteCopy(home)
            try step()
            try delete(in: folders.state(of: home)) { !Self.kept.contains($0) }
        }
        try step()
        try delete(in: state) { name in Self.ofMachine.contains { name.hasPrefix($0) } }
        try step()
        try mark.remove()
        return true
    }

    private func noteCopy(_ home: String) throws(SystemError) {
        let store = RegistrationStore(
            directory: folders.state(of: home), credentials: folders.credentials(of: home))
        do throws(RegistrationError) {
            guard var registration = try store.load() else { return }
            var machine = registration.machine ?? RegisteredMachine(MachineTraits())
            machine.becomeCopy()
            registration.machine = machine
            try store.save(registration)
        } catch .system(let error) {
            throw error
        } catch {
            // The home does not open with it, and says why.
            return
        }
    }

    private func delete(
        in folder: String, where isDeleted: (String) -> Bool
    ) throws(SystemError) {
        for name in try Folders.namesIfAny(in: folder) where isDeleted(name) {
            guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
                throw SystemError("cannot delete \(folder)/\(name)")
            }
        }
    }
}
