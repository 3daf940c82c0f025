internal import Glibc
internal import HomingRuntime

/// A folder for the files of one test; removed with all it holds when let go.
public final class TemporaryFolder: Sendable {
    /// Absolute, without a slash at the end.
    public let path: String

    /// Makes it, under `/tmp`.
    public init() throws {
        var template = Array("/tmp/homing-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("cannot make a folder in /tmp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a file, and its folders if need be; gives its path.
    @discardableResult
    public func write(_ content: [UInt8], to name: String) throws -> String {
        let file = "\(path)/\(name)"
        if let slash = file.lastIndex(of: "/") { try Folders.make(String(file[..<slash])) }
        try AtomicFile.write(content, to: file)
        return file
    }

    /// The same with text.
    @discardableResult
    public func write(_ content: String, to name: String) throws -> String {
        try write(Array(content.utf8), to: name)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        for name in names(in: path) { remove("\(path)/\(name)") }
        Glibc.remove(path)
    }

    /// What a folder holds, sorted; nothing if it is no folder, or a link to one.
    public static func names(in path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, let stream = fdopendir(descriptor) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            names.append(String(cString: name))
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }
}
