internal import CLinux
internal import Glibc

/// A ruleset of Landlock that permits to read everything but some files.
final class Ruleset {
    private let descriptor: Int32
    private let hidden: [String]

    /// - Parameter hidden: absolute, without links.
    init(hiding hidden: [String]) throws(SystemError) {
        self.hidden = hidden
        descriptor = homing_landlock_create(Self.reading | Self.moving)
        guard descriptor >= 0 else { throw SystemError("cannot make rules for a program") }
        permit(below: "/")
    }

    deinit { close(descriptor) }

    /// Takes effect for this thread and what it starts from now on.
    func restrictThread() throws(SystemError) {
        guard homing_landlock_restrict(descriptor) == 0 else {
            throw SystemError("cannot confine a program")
        }
    }

    /// `O_PATH`, which Swift does not see: to name an entry without opening it.
    private static let entryOnly: Int32 = 0o10000000
    /// To read files.
    private static let reading = UInt64(homing_landlock_read_file)
    /// To move and link files from one folder to another; Linux 5.19. Nothing can be moved to where
    /// more is permitted.
    private static var moving: UInt64 {
        homing_landlock_version() >= 2 ? UInt64(homing_landlock_refer) : 0
    }

    /// Permits each entry of a folder above a hidden file, but not that file.
    private func permit(below folder: String) {
        for name in HostFiles().names(in: folder) {
            let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            if isHidden(path) { continue }
            if hidden.contains(where: { $0.hasPrefix("\(path)/") }) {
                permit(below: path)
            } else {
                permit(path)
            }
        }
    }

    /// A file is written anew beside itself.
    private func isHidden(_ path: String) -> Bool {
        hidden.contains { path == $0 || path.hasPrefix("\($0).") }
    }

    private func permit(_ path: String) {
        let entry = open(path, Self.entryOnly | O_NOFOLLOW | O_CLOEXEC)
        guard entry >= 0 else { return }
        defer { close(entry) }
        var status = stat()
        guard fstat(entry, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        // What cannot be permitted, such as a file system's own entry, stays refused.
        _ = homing_landlock_permit(
            descriptor, entry, isFolder ? Self.reading | Self.moving : Self.reading)
    }
}
