internal import Glibc
public import HomingRuntime
internal import HomingSettings

/// The folders of the homes: `homes/NAME` below the state folder and below the runtime folder.
public struct HomeFolders: Sendable {
    /// The name of a home that nobody has named.
    public static let unnamed = "home"

    /// Registration and queue of a home.
    private let state: String
    /// What of a home need not survive a reboot.
    private let runtime: String

    /// - Parameters:
    ///   - state: the state folder (`Folders.state()`).
    ///   - runtime: the runtime folder (`Folders.runtime()`).
    public init(state: String, runtime: String) {
        self.state = state
        self.runtime = runtime
    }

    /// Where a home keeps its registration and its queue.
    public func state(of home: String) -> String { "\(state)/homes/\(home)" }

    /// Where a home keeps what need not survive a reboot.
    public func runtime(of home: String) -> String { "\(runtime)/homes/\(home)" }

    /// The homes there are, the first one first, the others by name.
    public func names() throws(SystemError) -> [String] {
        let entries: [String]
        do throws(SystemError) { entries = try Folders.names(in: "\(state)/homes") } catch {
            if error.isNotFound { return [] }
            throw error
        }
        let first = first()
        let names = entries.filter { Parts.isName($0) }
        return names.filter { $0 == first } + names.filter { $0 != first }
    }

    /// The home for which the keys of `agent.conf` hold that hold for one home alone, whether there is
    /// such a home or not.
    public func first() -> String {
        let noted = noted()
        return noted.first { access(state(of: $0), F_OK) == 0 } ?? noted.first ?? Self.unnamed
    }

    /// The first home's name; while it is being renamed, both.
    private func noted() -> [String] {
        guard let bytes = try? AtomicFile.read(firstPath, limit: 80) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
            .filter { Parts.isName($0) }
    }

    private func note(_ names: [String]) throws(SystemError) {
        let text = names.map { "\($0)\n" }.joined()
        try AtomicFile.write(Array(text.utf8), to: firstPath)
    }

    private var firstPath: String { "\(state)/first-home" }

    /// Gives a home another name, which no other home may have. Nothing may have its files open, and
    /// its queue must be on the disk.
    public func rename(_ home: String, to name: String) throws(SystemError) {
        let isFirst = first() == home
        if isFirst { try note([name, home]) }
        guard Glibc.rename(state(of: home), state(of: name)) == 0 else {
            throw SystemError("cannot rename \(state(of: home))")
        }
        AtomicFile.syncFolder(of: state(of: name))
        if isFirst { try note([name]) }
        // What is left of it is of no use without the state.
        _ = Glibc.rename(runtime(of: home), runtime(of: name))
    }

    /// Deletes a home with its queue. Nothing may have its files open.
    public func remove(_ home: String) throws(SystemError) {
        // A name that is none, so that what a kill leaves is no half of a home.
        let removed = "\(state)/homes/.removed"
        try Self.delete(removed)
        guard Glibc.rename(state(of: home), removed) == 0 || errno == ENOENT else {
            throw SystemError("cannot remove \(state(of: home))")
        }
        try Self.delete(removed)
        try Self.delete(runtime(of: home))
    }

    private static func delete(_ folder: String) throws(SystemError) {
        let names: [String]
        do throws(SystemError) { names = try Folders.names(in: folder) } catch {
            if error.isNotFound { return }
            throw error
        }
        for name in names {
            let path = "\(folder)/\(name)"
            if unlink(path) != 0, errno == EISDIR || errno == EPERM { try delete(path) }
        }
        guard rmdir(folder) == 0 else { throw SystemError("cannot delete \(folder)") }
    }

    /// The credentials of a home.
    public func credentials(of home: String) -> HomeCredentials {
        HomeCredentials(of: home, isFirst: first() == home)
    }

    /// Makes the folders of a home, if they are not there. As root, they belong to the owner of the
    /// folder around them.
    public func make(_ home: String) throws(SystemError) {
        for (top, folder) in [(state, state(of: home)), (runtime, runtime(of: home))] {
            try Folders.make("\(top)/homes", ownedAs: top)
            try Folders.make(folder, ownedAs: top)
        }
    }

    /// Moves what an earlier version kept in the state and the runtime folder itself, where the one
    /// home had it, into the folders of that home. Nothing may have it open.
    ///
    /// Each step is one `rename`, and a file stays where the home has one of its name already. So
    /// whoever dies in between leaves each file in one of the two places, and the next call goes on.
    ///
    /// - Parameter step: called before each step; what it throws ends the work there.
    /// - Returns: the paths of files that stay where they are, as the home has others.
    public func adoptEarlierFiles(
        step: () throws(SystemError) -> Void = { () throws(SystemError) in }
    ) throws(SystemError) -> [String] {
        let home = Self.unnamed
        var kept: [String] = []
        for (top, folder) in [(state, state(of: home)), (runtime, runtime(of: home))] {
            let earlier = try Self.earlierFiles(in: top)
            guard !earlier.isEmpty else { continue }
            try step()
            try make(home)
            for name in earlier {
                try step()
                if try !Self.move("\(top)/\(name)", to: "\(folder)/\(name)") {
                    kept.append("\(top)/\(name)")
                }
            }
            try step()
            AtomicFile.syncFolder(of: "\(folder)/.")
            AtomicFile.syncFolder(of: folder)
            AtomicFile.syncFolder(of: "\(top)/homes")
        }
        return kept
    }

    private static func earlierFiles(in folder: String) throws(SystemError) -> [String] {
        do throws(SystemError) {
            return try Folders.names(in: folder).filter { name in
                ["registration.json", "arrived.json"].contains(name)
                    || name.hasPrefix("outbox.db") || name.hasPrefix("outbox-memory.db")
            }
        } catch {
            if error.isNotFound { return [] }
            throw error
        }
    }

    /// Returns whether the file was moved; otherwise another one is there.
    private static func move(_ path: String, to target: String) throws(SystemError) -> Bool {
        if access(target, F_OK) == 0 { return false }
        guard Glibc.rename(path, target) == 0 else {
            throw SystemError("cannot move \(path) to \(target)")
        }
        return true
    }
}
