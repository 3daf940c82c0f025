public import Glibc

/// Folders in which Homing keeps things, by the rules of systemd.exec(5) and the XDG base
/// directories.
///
/// `program` names the folders: `homing`, or `homing-relay` for the relay.
public enum Folders {
    /// State: `$STATE_DIRECTORY`, else `/var/lib/homing` (root), else `$XDG_STATE_HOME/homing`.
    ///
    /// - Parameter isSystems: whether the system's daemon is meant, and not one of this user's own.
    public static func state(
        isSystems: Bool = getuid() == 0, of program: String = "homing"
    ) -> String {
        variable("STATE_DIRECTORY").map(firstOfList)
            ?? (isSystems
                ? "/var/lib/\(program)" : "\(home("XDG_STATE_HOME", ".local/state"))/\(program)")
    }

    /// Sockets and what need not survive a reboot: `$RUNTIME_DIRECTORY`, else `/run/homing` (root),
    /// else `$XDG_RUNTIME_DIR/homing`, else a folder with the state: under /tmp another user could
    /// have made it first.
    public static func runtime(of program: String = "homing") -> String {
        if let given = variable("RUNTIME_DIRECTORY").map(firstOfList) { return given }
        if getuid() == 0 { return "/run/\(program)" }
        return variable("XDG_RUNTIME_DIR").map { "\($0)/\(program)" } ?? "\(state(of: program))/run"
    }

    /// The socket of a daemon: of this user's own, or of the system's where that alone is there.
    public static func socket(of program: String = "homing") -> String {
        let own = "\(runtime(of: program))/control.sock"
        let system = "/run/\(program)/control.sock"
        let isGiven = variable("RUNTIME_DIRECTORY") != nil
        let isSystems = !isGiven && access(own, F_OK) != 0 && access(system, F_OK) == 0
        return isSystems ? system : own
    }

    /// The configuration file that is read.
    ///
    /// - Parameters:
    ///   - isSystems: whether the system's daemon is meant, and not one of this user's own.
    ///   - name: of the file.
    public static func configuration(
        isSystems: Bool = getuid() == 0, named name: String = "agent.conf"
    ) -> String {
        configurations.file(isSystems: isSystems, named: name)
    }

    /// The configuration file that this user's settings go to.
    public static func configurationToWrite() -> String {
        configurations.fileToWrite(isSystems: getuid() == 0)
    }

    private static var configurations: ConfigurationFolders {
        ConfigurationFolders(
            own: "\(home("XDG_CONFIG_HOME", ".config"))/homing", system: "/etc/homing")
    }

    /// Makes the folder, private to its owner, if it is not there.
    public static func make(_ path: String, mode: mode_t = 0o700) throws(SystemError) {
        if mkdir(path, mode) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw SystemError("cannot make \(path)")
        }
        try make(String(path[..<slash]), mode: 0o755)
        guard mkdir(path, mode) == 0 || errno == EEXIST else {
            throw SystemError("cannot make \(path)")
        }
    }

    /// Returns the owner of a file; `nil` unless this process is root's.
    public static func owner(of path: String) -> (user: uid_t, group: gid_t)? {
        var status = stat()
        guard geteuid() == 0, stat(path, &status) == 0 else { return nil }
        return (status.st_uid, status.st_gid)
    }

    /// Returns the names in a folder, as `names`; no names where the folder is not there.
    public static func namesIfAny(in path: String) throws(SystemError) -> [String] {
        do throws(SystemError) { return try names(in: path) } catch {
            if error.isNotFound { return [] }
            throw error
        }
    }

    /// Returns the names in a folder, sorted by the bytes of the names, without `.` and `..`.
    public static func names(in path: String) throws(SystemError) -> [String] {
        guard let stream = opendir(path) else { throw SystemError("cannot read \(path)") }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // Only so can the end be told from a failure.
            errno = 0
            guard let entry = readdir(stream) else { break }
            // An entry may be shorter than the type that stands for it, so no copy is made of it.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let bytes = UnsafeRawPointer(entry) + offset
            names.append(String(cString: bytes.assumingMemoryBound(to: CChar.self)))
        }
        guard errno == 0 else { throw SystemError("cannot read \(path)") }
        return names.filter { $0 != "." && $0 != ".." }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// systemd separates several folders by colons; ours comes first.
    private static func firstOfList(_ list: String) -> String {
        String(list.prefix { $0 != ":" })
    }

    private static func home(_ name: String, _ fallback: String) -> String {
        variable(name) ?? "\(variable("HOME") ?? "/root")/\(fallback)"
    }
}
