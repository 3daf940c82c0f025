import Glibc
import HomingCore
import HomingRuntime
import Testing

/// A folder of a test's own, deleted with it.
final class Scratch {
    let path: String

    init() {
        var template = Array("/tmp/homing-storage-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    deinit {
        for name in names() {
            unlink("\(path)/\(name)")
            rmdir("\(path)/\(name)")
        }
        rmdir(path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func names() -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// What a machine would find after the process was killed here.
    func copy() throws -> Scratch {
        let copy = Scratch()
        for name in names() where name.hasPrefix("outbox") {
            try copy.write(try read(name), to: name)
        }
        return copy
    }

    func read(_ name: String) throws -> [UInt8] {
        try AtomicFile.read(file(name), limit: 1 << 28)
    }

    func write(_ content: [UInt8], to name: String, mode: mode_t = 0o600) throws {
        try AtomicFile.write(content, to: file(name), mode: mode)
    }

    /// Bytes in all files of the outbox.
    func size() -> Int {
        names().reduce(0) { total, name in
            var status = stat()
            return stat(file(name), &status) == 0 ? total + Int(status.st_size) : total
        }
    }
}

/// The error `body` throws; records an issue if it throws another kind or none. (`#expect(throws:)`
/// gives the error back only from Swift 6.1 on.)
func expectThrown<E: Error, Result>(
    _ type: E.Type, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> E? {
    do {
        _ = try body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as E {
        return error
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}
