import Glibc
import HomingRuntime
import Testing

@Suite("Clean pages", .serialized)
struct CleanPagesTests {
    /// Bytes of files that are mapped and resident (proc_pid_statm(5)).
    private func residentFiles() throws -> Int {
        let text = String(decoding: try AtomicFile.read("/proc/self/statm"), as: UTF8.self)
        let words = text.split(separator: " ")
        return try #require(words.count > 2 ? Int(words[2]) : nil)
            * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    @Test("They go, and everything works as before")
    func release() throws {
        let before = try residentFiles()
        let table = (0..<1000).map { "\($0)" }
        CleanPages.release()
        let after = try residentFiles()
        print("resident pages of files: \(before >> 10) KiB before, \(after >> 10) KiB after")
        #expect(after < before * 3 / 4)
        #expect(table.joined(separator: ",").utf8.count == 3889)
        #expect(getenv("PATH") != nil)
        for _ in 0..<20 { CleanPages.release() }
        #expect((0..<100).map { "\($0)" }.sorted().first == "0")
    }
}
