internal import Glibc
internal import HomingBase

extension Kind where Value == String? {
    /// The absolute path of a file that can be read now, or nothing.
    static let readableFile = Kind(
        "the absolute path of a readable file, or nothing",
        read: { (raw) throws(Refusal) in
            let path = try raw.text()
            guard !path.isEmpty else { return nil }
            guard path.hasPrefix("/") else {
                throw Refusal("\(quoted(path)) is not an absolute path; it must begin with \"/\"")
            }
            if let reason = reasonUnreadable(path) {
                throw Refusal("\(quoted(path)) cannot be read: \(reason)")
            }
            return path
        }, write: { $0 ?? "" })
}

extension Kind where Value == String? {
    /// The absolute path of a file with a secret in it: one that other users cannot read. A group
    /// may be meant to, such as the daemon's.
    static let secretFile = Kind(
        "the absolute path of a file that other users cannot read, or nothing",
        read: { (raw) throws(Refusal) in
            let path = try readableFile.read(raw)
            var status = stat()
            guard let path, stat(path, &status) == 0, status.st_mode & 0o007 != 0 else {
                return path
            }
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw Refusal("\(quoted(path)) is open to other users (mode \(mode)); chmod 600 it")
        }, write: { $0 ?? "" })
}

extension Kind where Value == String? {
    /// The absolute path of a folder that need not be there, or nothing.
    static let folder = Kind(
        "the absolute path of a folder, or nothing",
        read: { (raw) throws(Refusal) in
            let path = try raw.text()
            guard !path.isEmpty else { return nil }
            guard path.hasPrefix("/") else {
                throw Refusal("\(quoted(path)) is not an absolute path; it must begin with \"/\"")
            }
            let parts = path.split(separator: "/")
            guard !parts.contains(".."), !parts.contains(".") else {
                throw Refusal("\(quoted(path)) has a \".\" or \"..\" in it; write where it leads")
            }
            return "/" + parts.joined(separator: "/")
        }, write: { $0 ?? "" })
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
