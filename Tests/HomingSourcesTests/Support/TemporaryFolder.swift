import Glibc
import HomingRuntime

/// A folder of a test's own, open to all users, removed with its files when let go.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/homing-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(path, 0o777)
    }

    deinit {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { unlink("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
    }
}
