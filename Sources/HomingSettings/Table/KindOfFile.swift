internal import Glibc
internal import HomingBase

extension Kind where Value == String? {
    /// The absolute path of a file that can be read now, or nothing.
    public static let readableFile = Kind(
        optional: "the absolute path of a readable file", parse: readablePath)

    /// The absolute path of a file with a secret in it: one that other users cannot read. A group
    /// may be meant to, such as a service's.
    public static let secretFile = Kind(
        optional: "the absolute path of a file that other users cannot read"
    ) { (path) throws(Refusal) in
        let path = try readablePath(path)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o007 != 0 else { return path }
        let mode = String(status.st_mode & 0o777, radix: 8)
        throw Refusal(
            "\(quoted(path)) is open to other users (mode \(mode)). Run: chmod 600 \(path)")
    }

    /// The absolute path of a folder that need not be there, or nothing.
    public static let folder = Kind(optional: "the absolute path of a folder") {
        (path) throws(Refusal) in
        let parts = try absolutePath(path).split(separator: "/")
        guard !parts.contains(".."), !parts.contains(".") else {
            throw Refusal("\(quoted(path)) has a \".\" or \"..\" in it; write where it leads")
        }
        return "/" + parts.joined(separator: "/")
    }
}

extension Kind where Value == [String] {
    /// A program's absolute path and its arguments.
    public static let argumentVector = Kind(
        "an absolute path, then arguments, separated by \";\"",
        read: { (raw) throws(Refusal) in
            let items = try raw.list()
            if let program = items.first { _ = try absolutePath(program) }
            return items
        }, write: names.write)
}

private func absolutePath(_ path: String) throws(Refusal) -> String {
    guard path.hasPrefix("/") else {
        throw Refusal("\(quoted(path)) is not an absolute path; it must begin with \"/\"")
    }
    return path
}

private func readablePath(_ path: String) throws(Refusal) -> String {
    if let reason = reasonUnreadable(try absolutePath(path)) {
        throw Refusal("\(quoted(path)) cannot be read: \(reason)")
    }
    return path
}

/// Opening is the only honest test: access(2) asks for the real user id, and neither sees ACLs of a
/// network file system.
private func reasonUnreadable(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return String(cString: strerror(errno)) }
    return status.st_mode & S_IFMT == S_IFDIR ? String(cString: strerror(EISDIR)) : nil
}
