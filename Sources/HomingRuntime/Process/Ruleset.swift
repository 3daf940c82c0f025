internal import CLinux
internal import Glibc

/// A ruleset of Landlock that permits to read everything but some files.
///
/// It also keeps the folders above these files where they are: what stands at another path would be
/// permitted to the next program.
final class Ruleset {
    private let descriptor: Int32
    private let hidden: Set<String>
    /// The folders that the hidden files are in.
    private let holders: Set<String>

    /// - Parameter hidden: absolute, in folders without links.
    init(hiding hidden: Set<String>) throws(SystemError) {
        self.hidden = hidden
        holders = Set(hidden.map(LinkTrail.folder))
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
    /// To rename and remove folders; to move and link files from one folder to another, where that
    /// can be permitted (Linux 5.19). Nothing can be moved to where more is permitted.
    private static var moving: UInt64 {
        let folders = UInt64(homing_landlock_remove_dir)
        return homing_landlock_version() >= 2 ? folders | UInt64(homing_landlock_refer) : folders
    }

    /// Permits each entry of a folder above a hidden file, but not what may be that file.
    private func permit(below folder: String) {
        let holder = holders.contains(folder) ? Holder(folder) : nil
        for name in HostFiles().names(in: folder) {
            let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            if hidden.contains(path) { continue }
            if hidden.contains(where: { $0.hasPrefix("\(path)/") }) {
                permit(below: path)
            } else {
                permit(path, in: holder)
            }
        }
    }

    private func permit(_ path: String, in holder: Holder?) {
        let entry = open(path, Self.entryOnly | O_NOFOLLOW | O_CLOEXEC)
        guard entry >= 0 else { return }
        defer { close(entry) }
        var status = stat()
        guard fstat(entry, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return }
        if let holder, holder.mayHoldSecret(status) { return }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        // What cannot be permitted, such as a file system's own entry, stays refused.
        _ = homing_landlock_permit(
            descriptor, entry, isFolder ? Self.reading | Self.moving : Self.reading)
    }
}
