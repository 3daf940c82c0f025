internal import Glibc
public import HomingRuntime
public import HomingServer
internal import HomingSettings

/// A file that the service's user cannot read.
public struct ClosedFile: Equatable, Sendable {
    public let path: String
    /// Remedies that open the file to the service, for people: each remedy is a thing to do.
    public let remedies: [String]
}

/// The user as whom the service runs. What root can read, this user may not.
public struct ServiceUser: Equatable, Sendable {
    /// A user who owns no file. Stands for the service's user before systemd has made that user.
    private static let stranger: UInt32 = 65_534
    /// Paths at which the service may be installed.
    private static let units = ["/etc", "/usr/local/lib", "/usr/lib", "/lib"].map {
        "\($0)/systemd/system/homing-relay.service"
    }

    private let user: UInt32
    /// The folder of the service's state, which systemd gives to the user, by its name for people.
    private let folder: String
    /// The same without links.
    private let state: String

    init(user: UInt32, state: String) {
        (self.user, folder) = (user, state)
        self.state = Self.resolved(state) ?? state
    }

    /// The owner of the service's folder. Before its first start, a user who owns nothing. `nil` where this
    /// process is not root's, or no service is known.
    ///
    /// - Parameter state: the folder of the service's state.
    public init?(state: String) {
        guard geteuid() == 0 else { return nil }
        if let owner = Folders.owner(of: state), owner.user != 0 {
            self.init(user: owner.user, state: state)
        } else if Self.units.contains(where: { access($0, F_OK) == 0 }) {
            self.init(user: Self.stranger, state: state)
        } else {
            return nil
        }
    }

    /// The files of a relay that are there, and that the user cannot read; each with what to do.
    ///
    /// - Parameter path: of `relay.conf`.
    /// - Throws: if the folder of the drop-ins cannot be read.
    public func closedFiles(
        _ settings: RelayConfiguration, at path: String, keys: KeyFile
    ) throws(SystemError) -> [ClosedFile] {
        let table = RelayConfiguration.table
        let read = try table.files(of: path) + [table.dropInFolder(of: path)]
        let (listen, store) = (settings.listen, settings.store)
        let mailboxes = store.engine == .sqlite ? settings.storePath(in: folder) : nil
        let kept = [
            keys.path, mailboxes, listen.tlsCertificate, listen.tlsKey, store.passwordFile,
            store.caFile, settings.forward.caFile,
        ].compactMap { $0 }
        return unreadable(read).map { ClosedFile(path: $0, remedies: opening($0, of: path)) }
            + unreadable(kept).map { ClosedFile(path: $0, remedies: handingOver($0)) }
    }

    /// The failure of the service where it listens on these addresses, some of which only root can;
    /// `nil` if none is known.
    public func refusal(of addresses: [ListenAddress]) -> ServerFailure? {
        FreePorts.refusal(of: addresses)
    }

    /// Returns the remedies that open a file without a secret to everybody. Only what
    /// is in the configuration's own folder is opened. Nobody opens root's home, or another folder
    /// of somebody's, to everybody for one file.
    ///
    /// - Parameter main: the path of `relay.conf`.
    private func opening(_ path: String, of main: String) -> [String] {
        guard let real = Self.resolved(path) else { return [] }
        let parent = main.lastIndex(of: "/").map { String(main[..<$0]) } ?? "."
        let own = Self.resolved(parent) ?? parent
        func isOwn(_ path: String) -> Bool { path == own || path.hasPrefix("\(own)/") }
        guard isOwn(real) else { return ["replace the link \(path) by a copy of \(real)"] }
        let obstacles = obstacles(on: real)
        guard obstacles.allSatisfy(isOwn), !Self.isInHome(own) else {
            return ["move \(main) and its drop-ins to /etc/homing, where the service reads them"]
        }
        return obstacles.map { "chmod \(Self.isFolder($0) ? "755" : "644") \($0)" }
    }

    /// Whether a folder lies in somebody's home: the service has ProtectHome=yes, whatever the rights.
    private static func isInHome(_ folder: String) -> Bool {
        ["/root", "/home", "/run/user"].contains { folder == $0 || folder.hasPrefix("\($0)/") }
    }

    /// Returns the remedies that give a file to the user, with the folders on the way. That user
    /// may change, and only the service's own folder follows.
    private func handingOver(_ path: String) -> [String] {
        guard let real = Self.resolved(path), real.hasPrefix("\(state)/") else {
            return [
                "hand a copy of \(path) to the owner of \(folder) (the page relay in /usr/share/doc/homing-relay: TLS without a proxy), "
                    + "or give the service a credential"
            ]
        }
        return obstacles(on: real).map { obstacle in
            let name = "\(folder)\(obstacle.dropFirst(state.count))"
            var status = stat()
            let isOwners = stat(obstacle, &status) == 0 && status.st_uid == user
            return isOwners ? "chmod u+rX \(name)" : "chown --reference=\(folder) \(name)"
        }
    }

    /// The files among these that are there, and that the user cannot read. A file with a list of rights of
    /// its own (acl(5)), or for a group that the service may have been given, counts as readable.
    func unreadable(_ paths: [String]) -> [String] {
        paths.filter { path in Self.resolved(path).map { !obstacles(on: $0).isEmpty } ?? false }
    }

    /// The folders on the way to a file that the user may not enter, and the file if the user may not
    /// read it.
    private func obstacles(on path: String) -> [String] {
        let isOwn = path.hasPrefix("\(state)/")
        // Before the first start its folder is root's, and systemd hands over all of it.
        if isOwn, user == Self.stranger { return [] }
        var folders = isOwn ? [state] : []
        let names = path.dropFirst(isOwn ? state.count : 0).split(separator: "/").dropLast()
        for name in names { folders.append("\(folders.last ?? "")/\(name)") }
        return folders.filter { !may(mode_t(S_IXUSR), $0) }
            + (may(mode_t(S_IRUSR), path) ? [] : [path])
    }

    /// - Parameter right: the owner's bit of it.
    private func may(_ right: mode_t, _ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        if FileWriters.haveList(of: path) { return true }
        let mode = status.st_mode
        if status.st_uid == user { return mode & right != 0 }
        let isForGroup = mode & (right >> 3) != 0 && status.st_gid != 0
        return mode & (right >> 6) != 0 || isForGroup
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
