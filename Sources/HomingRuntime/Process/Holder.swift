internal import Glibc

/// A folder that holds a hidden file.
///
/// Landlock lets a program rename and link files within one folder, unless it forbids to make any
/// there. So a file's name does not tell whether it is the hidden one.
struct Holder {
    /// Whether this user can change what is in it.
    private let isOurs: Bool

    init(_ folder: String) {
        var status = stat()
        let isOwner = stat(folder, &status) == 0 && status.st_uid == geteuid()
        isOurs = isOwner || access(folder, W_OK) == 0
    }

    /// Whether a file in it may be the hidden one under another name, or one like it: an older key,
    /// or a newer one. Else it belongs to another user, and everybody may read it.
    func mayHoldSecret(_ status: stat) -> Bool {
        guard status.st_mode & S_IFMT == S_IFREG else { return false }
        return isOurs || status.st_uid == geteuid() || status.st_mode & S_IROTH == 0
    }
}
