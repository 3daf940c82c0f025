internal import Glibc
internal import HomingRuntime

/// The relay that this machine's service runs, as another user's command sees it.
public enum SystemRelay {
    /// Whether a command needs to be root's: the service has been set up here, and this user has no
    /// relay of their own.
    ///
    /// - Parameter keys: where the keys of this user's own relay would be.
    public static func needsRoot(keys: String) -> Bool {
        guard getenv("STATE_DIRECTORY") == nil else { return false }
        let folder = Folders.state(isSystems: true, of: RelayCommand.program)
        return needsRoot(keys: keys, folder: folder, user: geteuid())
    }

    /// - Parameter folder: of the service's state: a folder of root's, or a link into one.
    static func needsRoot(keys: String, folder: String, user: UInt32) -> Bool {
        var status = stat()
        // A link is not followed: only root can look behind it.
        return user != 0 && lstat(folder, &status) == 0 && access(keys, F_OK) != 0
    }
}
