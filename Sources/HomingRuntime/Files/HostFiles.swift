internal import Glibc

/// Space of a file system, in bytes (statvfs(3)).
public struct FileSystemSpace: Equatable, Sendable {
    public let total: Double
    /// Free for root.
    public let free: Double
    /// Free for everybody else.
    public let available: Double
}

/// Reads the machine's files below a root, so that recorded machines can be replayed.
///
/// A file that is not there, or not to be read, gives `nil`: what the machine does not have, it
/// does not tell.
public struct HostFiles: Sendable {
    private let root: String

    /// - Parameter root: stands for `/`.
    public init(root: String = "") { self.root = root }

    /// Returns the real path of that file of the machine.
    public func path(_ path: String) -> String { root + path }

    /// A small text file, up to 256 KiB.
    public func text(_ path: String) -> String? {
        guard let bytes = try? AtomicFile.read(root + path, limit: 256 * 1024) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines of a small text file; none if there is no such file.
    public func lines(_ path: String) -> [Substring] {
        text(path)?.split(separator: "\n") ?? []
    }

    /// The first line of a small text file, without the spaces around it; `nil` if there is none.
    public func line(_ path: String) -> String? {
        text(path)?.split(whereSeparator: { $0 == "\n" || $0 == "\0" }).first.flatMap { line in
            let trimmed = line.trimmed
            return trimmed.isEmpty ? nil : trimmed
        }
    }

    /// The names in a folder, sorted; none if there is no such folder.
    public func names(in folder: String) -> [String] {
        ((try? Folders.names(in: root + folder)) ?? []).sorted()
    }

    /// Whether there is such a file or folder.
    public func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

    /// Returns the space of the file system at that mount point; `nil` if the file system cannot
    /// tell. Blocks until the file system answers: never ask a file system of the network.
    public func space(of mountPoint: String) -> FileSystemSpace? {
        var status = statvfs()
        guard statvfs(root + mountPoint, &status) == 0 else { return nil }
        let block = Double(status.f_frsize)
        return FileSystemSpace(
            total: Double(status.f_blocks) * block, free: Double(status.f_bfree) * block,
            available: Double(status.f_bavail) * block)
    }

    /// A file of `NAME=value` lines as in os-release(5), values unquoted.
    public func assignments(_ path: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in lines(path) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, !line.hasPrefix("#") else { continue }
            var value = parts[1]
            if let quote = value.first, quote == "\"" || quote == "'", value.last == quote,
                value.count >= 2
            {
                value = value.dropFirst().dropLast()
            }
            values[String(parts[0])] = String(value)
        }
        return values
    }
}
