internal import Glibc
internal import HomingCrypto
public import HomingRuntime
internal import HomingSettings

/// The folders of the homes: `homes/NAME` below the state folder and below the runtime folder.
public struct HomeFolders: Sendable {
    /// The name of the first home, until a person gives it another name.
    public static let unnamed = "home"
    /// The files of an earlier version; what belongs to a file has a name that goes on.
    private static let old = ["registration.json", "arrived.json", "outbox.db", "outbox-memory.db"]

    /// The folder of registrations and queues.
    private let state: String
    /// The folder of files that a reboot may delete.
    private let runtime: String

    /// - Parameters:
    ///   - state: the state folder (`Folders.state()`).
    ///   - runtime: the runtime folder (`Folders.runtime()`).
    public init(state: String, runtime: String) {
        self.state = state
        self.runtime = runtime
    }

    /// Returns the folder in which a home keeps its registration and its queue.
    public func state(of home: String) -> String { "\(state)/homes/\(home)" }

    /// Returns the folder in which a home keeps files that a reboot may delete.
    public func runtime(of home: String) -> String { "\(runtime)/homes/\(home)" }

    /// The names of the homes, the first home's first, then by name.
    public func names() throws(SystemError) -> [String] {
        let first = first()
        let names = try Folders.namesIfAny(in: "\(state)/homes").filter { Parts.isName($0) }
        return names.filter { $0 == first } + names.filter { $0 != first }
    }

    // MARK: The first home

    /// The home for which the keys of `agent.conf` hold that hold for one home alone; where there is
    /// no home yet, the name that such a home would have. `nil` once the first home was removed while
    /// there were others: no other home takes over its keys.
    public func first() -> String? {
        let noted = noted()
        if let first = noted.first(where: { OwnerRights.sees(state(of: $0)) }) { return first }
        let entries = (try? Folders.names(in: "\(state)/homes")) ?? []
        return entries.contains { Parts.isName($0) } ? nil : noted.first ?? Self.unnamed
    }

    /// Writes down which home is first after a kill left that open: no home that is made later may
    /// get the rights of the first home by its name alone.
    public func settleFirst() throws(SystemError) {
        let settled = first().map { [$0] } ?? []
        let names = try names()
        if !names.isEmpty, noted() != settled { try note(settled) }
    }

    /// Lets the keys of `agent.conf` that hold for one home alone hold for this home.
    public func makeFirst(_ home: String) throws(SystemError) { try note([home]) }

    /// The first home's name; while it is being renamed, the new name and the old one. Without a
    /// note, or with a damaged one, the usual name; with an empty one none.
    private func noted() -> [String] {
        guard let bytes = try? AtomicFile.read(firstPath, limit: 80) else { return [Self.unnamed] }
        let names = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .map { String($0) }.filter { Parts.isName($0) }
        return names.isEmpty && !bytes.isEmpty ? [Self.unnamed] : names
    }

    private func note(_ names: [String]) throws(SystemError) {
        let text = names.map { "\($0)\n" }.joined()
        try AtomicFile.write(Array(text.utf8), to: firstPath)
    }

    private var firstPath: String { "\(state)/first-home" }

    // MARK: Changes

    /// Gives a home another name, which no other home may have. Nothing may have its files open, and
    /// its queue must be on the disk.
    public func rename(_ home: String, to name: String) throws(SystemError) {
        let isFirst = first() == home
        if isFirst { try note([name, home]) }
        guard Glibc.rename(state(of: home), state(of: name)) == 0 else {
            let error = SystemError("cannot rename \(state(of: home))")
            if isFirst { try? note([home]) }
            throw error
        }
        AtomicFile.syncFolder(of: state(of: name))
        // Both names in the note mean the home that there is.
        if isFirst { try? note([name]) }
        guard runtime != state else { return }
        try? Self.delete(runtime(of: name))
        _ = Glibc.rename(runtime(of: home), runtime(of: name))
    }

    /// Deletes a home with its queue. Nothing may have its files open.
    public func remove(_ home: String) throws(SystemError) {
        let others = try names().filter { $0 != home }
        let losesRights = first() == home && !others.isEmpty
        // The rest of another home may still be there.
        let rest = "\(removed)-\(RandomToken.hex(bytes: 8))"
        // Before the folder is gone: another home of its name may follow a kill. Without room for the
        // note, the removal makes room.
        let isNoted = losesRights && (try? note([])) != nil
        guard Glibc.rename(state(of: home), rest) == 0 || errno == ENOENT else {
            let error = SystemError("cannot remove \(state(of: home))")
            if isNoted { try? note([home]) }
            throw error
        }
        AtomicFile.syncFolder(of: rest)
        let left = Result { () throws(SystemError) in try Self.delete(rest) }
        if losesRights, !isNoted { try note([]) }
        try Self.delete(runtime(of: home))
        try left.get()
    }

    /// Deletes the rests of removed homes as far as possible. Throws if a rest stays.
    public func clear() throws(SystemError) {
        let homes = "\(state)/homes"
        var problem: SystemError?
        for name in try Folders.namesIfAny(in: homes) where "\(homes)/\(name)".hasPrefix(removed) {
            do throws(SystemError) { try Self.delete("\(homes)/\(name)") } catch {
                problem = error
            }
        }
        if let problem { throw problem }
    }

    /// Beginning of the paths of removed homes. No home has such a name, so that a kill leaves no
    /// half of a home.
    private var removed: String { "\(state)/homes/.removed" }

    /// Deletes all that can be deleted, and throws if something is left.
    private static func delete(_ folder: String) throws(SystemError) {
        // A read-only file system refuses to delete even a folder that is not there. A link is
        // deleted, and what the link leads to stays.
        guard unlink(folder) != 0, errno != ENOENT else { return }
        guard access(folder, F_OK) == 0 || errno != ENOENT else { return }
        for name in try Folders.names(in: folder) {
            let path = "\(folder)/\(name)"
            if unlink(path) != 0, errno == EISDIR || errno == EPERM { try? delete(path) }
        }
        guard rmdir(folder) == 0 else { throw SystemError("cannot delete \(folder)") }
    }

    /// The credentials of a home.
    public func credentials(of home: String) -> HomeCredentials {
        HomeCredentials(of: home, isFirst: first() == home)
    }

    /// The id of a home, made with its folder: it stays when the home gets another name or another
    /// registration. 16 hexadecimal digits.
    public func identity(of home: String) -> String {
        do throws(SystemError) {
            let stored = try AtomicFile.read(identityPath(home), limit: 80)
            let text = String(decoding: stored, as: UTF8.self).filter { !$0.isWhitespace }
            if text.utf8.count == 16, text.allSatisfy(\.isHexDigit) { return text }
        } catch {
            // An id that cannot be read now is there at the next start.
            if !error.isNotFound { return RandomToken.hex(bytes: 8) }
        }
        return renewIdentity(of: home)
    }

    /// Gives a home another id.
    public func renewIdentity(of home: String) -> String {
        let new = RandomToken.hex(bytes: 8)
        // With a full disk the home has another id at the next start, and old notifications no home.
        try? AtomicFile.write(
            Array(new.utf8), to: identityPath(home))
        return new
    }

    private func identityPath(_ home: String) -> String { "\(state(of: home))/id" }

    /// Makes the folders of a home, if they are not there.
    public func make(_ home: String) throws(SystemError) {
        try makeState(of: home)
        try make(runtime(of: home), in: runtime)
    }

    /// Makes the folder of the registration and the queue alone, as where no daemon runs.
    public func makeState(of home: String) throws(SystemError) {
        // A new home takes nothing over from a removed home of its name.
        if !OwnerRights.sees(state(of: home)) {
            try settleFirst()
            try Self.delete(runtime(of: home))
        }
        try make(state(of: home), in: state)
    }

    private func make(_ folder: String, in top: String) throws(SystemError) {
        try Folders.make(top)
        try Folders.make("\(top)/homes")
        try Folders.make(folder)
    }

    /// Moves the files of an earlier version, which had one home in the state and the runtime folder
    /// itself, into the folders of that home. Nothing may have these files open.
    ///
    /// Each step is one `rename`. What belongs to a file goes before the file, and stays with the
    /// file where the home has its own: SQLite would apply the log of one database to another. A
    /// kill leaves each file in one of the two places, and the next call goes on.
    ///
    /// - Parameter step: called before each step; an error that it throws ends the work there.
    /// - Returns: the paths of files that stay where they are, as the home has others.
    public func adoptEarlierFiles(
        step: () throws(SystemError) -> Void = { () throws(SystemError) in }
    ) throws(SystemError) -> [String] {
        let home = first() ?? Self.unnamed
        var kept: [String] = []
        for (top, folder) in [(state, state(of: home)), (runtime, runtime(of: home))] {
            // `outbox.db-wal` before `outbox.db`.
            let names = try Folders.namesIfAny(in: top).reversed()
            let earlier = names.compactMap { name in
                Self.old.first { name.hasPrefix($0) }.map { (name: name, base: $0) }
            }
            guard !earlier.isEmpty else { continue }
            try step()
            try make(state(of: home), in: state)
            try make(folder, in: top)
            for (name, base) in earlier {
                try step()
                let (path, target) = ("\(top)/\(name)", "\(folder)/\(name)")
                // A queue belongs to its registration, and rows in memory to the queue on the disk.
                let stays =
                    kept.contains("\(state)/registration.json")
                    || base == "outbox-memory.db" && kept.contains("\(state)/outbox.db")
                if stays || OwnerRights.sees("\(folder)/\(base)") {
                    kept.append(path)
                } else if Glibc.rename(path, target) != 0, errno != ENOENT {
                    // Without `ENOENT`: another process may have moved the file.
                    throw SystemError("cannot move \(path) to \(target)")
                }
            }
            try step()
            for path in ["\(folder)/.", folder, "\(top)/homes"] { AtomicFile.syncFolder(of: path) }
        }
        return kept
    }
}
