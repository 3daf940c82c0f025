internal import Glibc
internal import HomingBase
internal import HomingRuntime

/// Content of a folder of scripts: scripts that may be run, and what is refused, with the reason.
///
/// A script runs with the daemon's rights, so whoever can write it, or put another in its place, must
/// have those already: it, its folder and the folders above belong to root or to the daemon's user,
/// and nobody else may write to them.
struct ScriptFolder {
    private(set) var scripts: [String] = []
    /// Reasons of refusals by path.
    private(set) var refused: [String: String] = [:]

    /// - Parameter path: absolute; a folder that is not there holds nothing.
    init(_ path: String) {
        guard access(path, F_OK) == 0 || errno != ENOENT else { return }
        if let (folder, reason) = Self.unsafeFolder(path) {
            refused[folder] = reason
            return
        }
        for name in HostFiles().names(in: path) {
            // As run-parts(8) does, leave alone what editors and package managers leave behind.
            if name.hasPrefix(".") || name.hasSuffix("~") || name.holds(".dpkg-") { continue }
            if let reason = Self.refusal("\(path)/\(name)") {
                refused["\(path)/\(name)"] = reason
            } else {
                scripts.append(name)
            }
        }
        scripts.sort()
    }

    private static func refusal(_ file: String) -> String? {
        guard let status = status(file) else { return "cannot be looked at" }
        if status.st_mode & S_IFMT != S_IFREG { return "is not a file" }
        if let reason = refusal(file, status) { return reason }
        return access(file, X_OK) == 0 ? nil : "is not executable"
    }

    /// The first of the folder and those above it that others could change.
    private static func unsafeFolder(_ path: String) -> (folder: String, reason: String)? {
        var folder = path
        while true {
            guard let status = status(folder) else { return (folder, "cannot be looked at") }
            if status.st_mode & S_IFMT != S_IFDIR { return (folder, "is not a folder") }
            // Where the sticky bit is set, as in /tmp, nobody moves what is another's.
            let isSticky =
                folder != path && status.st_mode & S_ISVTX != 0 && isTrusted(status.st_uid)
            if !isSticky, let reason = refusal(folder, status) { return (folder, reason) }
            guard folder != "/", let slash = folder.lastIndex(of: "/") else { return nil }
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
    }

    private static func refusal(_ path: String, _ status: stat) -> String? {
        guard isTrusted(status.st_uid) else {
            return "belongs neither to root nor to Homing's user"
        }
        let writers = FileWriters(path: path, status: status)
        if writers.includeEverybody { return "can be written by everybody" }
        if let user = writers.users.first(where: { !isTrusted($0) }) {
            return "can be written by user \(user)"
        }
        guard let group = writers.groups.first(where: { $0 != 0 }) else { return nil }
        return group == status.st_gid
            ? "can be written by its group" : "can be written by group \(group)"
    }

    private static func isTrusted(_ user: uid_t) -> Bool { user == 0 || user == geteuid() }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
