internal import Glibc

/// Rights of the user who owns a folder, for root. The owner can put a link into the folder, and root would
/// follow the link to any file.
public enum OwnerRights {
    /// Runs `body` with the rights of the folder's owner, if this process is root's and the owner is another
    /// user. Otherwise runs `body` with the present rights.
    ///
    /// The real user stays root, so that root's rights return. A process that may not change its user ends
    /// with EX_NOPERM.
    public static func use<Value, Failure>(
        of folder: String, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let owner = Folders.owner(of: folder), owner.user != 0 else { return try body() }
        let group = getegid()
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        endUnlessDone(getgroups(Int32(groups.count), &groups), "read the groups")
        // The folder's group may be root's. A user without an entry gets a group of the same number.
        let ownGroup = getpwuid(owner.user)?.pointee.pw_gid ?? owner.user
        endUnlessDone(setgroups(1, [ownGroup]), "act as the owner of \(folder)")
        endUnlessDone(setegid(ownGroup), "act as the owner of \(folder)")
        endUnlessDone(seteuid(owner.user), "act as the owner of \(folder)")
        defer {
            endUnlessDone(seteuid(0), "act as root again")
            endUnlessDone(setegid(group), "act as root again")
            endUnlessDone(setgroups(groups.count, groups), "act as root again")
        }
        return try body()
    }

    /// Whether a file or folder is there, for the user whose rights are in force. `access` of the C library
    /// asks about the real user.
    public static func sees(_ path: String) -> Bool { has(F_OK, to: path) }

    /// Whether the user whose rights are in force has these rights to a file or folder; else `errno` has the
    /// reason.
    public static func has(_ rights: Int32, to path: String) -> Bool {
        faccessat(AT_FDCWD, path, rights, AT_EACCESS) == 0
    }

    private static func endUnlessDone(_ result: Int32, _ action: @autoclosure () -> String) {
        guard result < 0 else { return }
        let number = errno
        let failure = SystemError("homing: cannot \(action())", number: number)
        Console.write("\(failure)\n", to: .error)
        exit(EX_NOPERM)
    }
}
