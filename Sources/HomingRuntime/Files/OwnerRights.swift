internal import Glibc

/// Rights of the user who owns a folder, for root. The owner can put a link into the folder, and root would
/// follow the link to any file.
public enum OwnerRights {
    /// Runs `body` with the rights of the folder's owner, if this process is root's and the owner is another
    /// user. Otherwise runs `body` with the present rights.
    ///
    /// The real user stays root, so that root's rights return. A process that may not change its user ends
    /// with EX_OSERR.
    public static func use<Value, Failure>(
        of folder: String, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let owner = Folders.owner(of: folder), owner.user != 0 else { return try body() }
        let group = getegid()
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        must(getgroups(Int32(groups.count), &groups), "read the groups")
        var own = [owner.group]
        must(setgroups(own.count, &own), "act as the owner of \(folder)")
        must(setegid(owner.group), "act as the owner of \(folder)")
        must(seteuid(owner.user), "act as the owner of \(folder)")
        defer {
            must(seteuid(0), "act as root again")
            must(setegid(group), "act as root again")
            must(setgroups(groups.count, &groups), "act as root again")
        }
        return try body()
    }

    private static func must(_ result: Int32, _ action: String) {
        guard result < 0 else { return }
        Console.write("\(SystemError("cannot \(action)"))\n", to: .error)
        exit(EX_OSERR)
    }
}
