internal import Glibc
internal import HomingRuntime

/// A folder for what a target reads from files, below `TMPDIR`; scripts/fuzz makes that one in
/// memory, and removes it.
struct Workplace {
    let path: String

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = "\(parent)/homing-fuzz-\(getpid())"
        try Folders.make(path)
    }

    /// Removes every file.
    func clear() {
        for name in (try? Folders.names(in: path)) ?? [] { unlink("\(path)/\(name)") }
    }

    /// Makes this the content of a file, in place: nothing here needs to survive anything.
    func put(_ content: [UInt8], at file: String) throws(SystemError) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("cannot write \(file)") }
        defer { close(descriptor) }
        guard write(descriptor, content, content.count) == content.count else {
            throw SystemError("cannot write \(file)")
        }
    }
}
