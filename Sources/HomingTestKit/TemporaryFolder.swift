public import Glibc
internal import HomingRuntime

/// A folder for the files of one test; removed with all it holds when let go.
public final class TemporaryFolder: Sendable {
    /// Absolute, without a slash at the end.
    public let path: String

    /// Makes it.
    ///
    /// - Parameter parent: where.
    public init(in parent: String = "/tmp") throws {
        var template = Array("\(parent)/homing-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError("cannot make a folder in \(parent)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a file, and its folders if need be; gives its path.
    @discardableResult
    public func write(_ content: [UInt8], to name: String) throws -> String {
        let file = try makeRoom(for: name)
        try AtomicFile.write(content, to: file)
        return file
    }

    /// Makes the folders of a file; gives its path.
    private func makeRoom(for name: String) throws -> String {
        let file = file(name)
        if let slash = file.lastIndex(of: "/") { try Folders.make(String(file[..<slash])) }
        return file
    }

    /// The same with text.
    @discardableResult
    public func write(_ content: String, to name: String) throws -> String {
        try write(Array(content.utf8), to: name)
    }

    /// Writes a program, which may be run at once; gives its path.
    ///
    /// Another process writes the file. Had we the file open, a child that another thread starts
    /// would have it open until its own exec, and running the file would fail with ETXTBSY.
    @discardableResult
    public func writeProgram(
        _ content: String, to name: String, mode: mode_t = 0o755
    ) throws -> String {
        let source = try write(content, to: "program.source")
        defer { unlink(source) }
        chmod(source, mode)
        let file = try makeRoom(for: name)
        let words = ["cp", "-p", "--remove-destination", source, file]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, "/bin/cp", nil, nil, &arguments, environ)
        guard error == 0 else { throw SystemError("cannot run cp", number: error) }
        var status: Int32 = -1
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else { throw SystemError("cannot copy \(source)", number: EIO) }
        return file
    }

    /// The path of a file in it.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// A whole file.
    public func read(_ name: String) throws -> [UInt8] {
        try AtomicFile.read(file(name), limit: 1 << 28)
    }

    /// Returns the names of what the folder holds, sorted.
    public func names() -> [String] { (try? Folders.names(in: path)) ?? [] }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        // No link is followed.
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            for name in (try? Folders.names(in: path)) ?? [] { remove("\(path)/\(name)") }
        }
        Glibc.remove(path)
    }
}
