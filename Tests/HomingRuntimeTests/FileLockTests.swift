import Glibc
import HomingRuntime
import HomingTestKit
import Testing

struct FileLockTests {
    @Test("A lock is held once at a time, and is free again at its end")
    func once() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        var first = try FileLock(path)
        #expect(first != nil)
        let second = try FileLock(path)
        #expect(second == nil)
        first = nil
        let third = try FileLock(path)
        #expect(first == nil && third != nil)
    }

    @Test("Only the owner can open the file")
    func mode() throws {
        let folder = try TemporaryFolder()
        let lock = try FileLock(folder.file("lock"))
        var status = stat()
        #expect(stat(folder.file("lock"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(lock != nil)
    }

    @Test("A missing folder is an error, and so is a link in place of the file")
    func errors() throws {
        let folder = try TemporaryFolder()
        symlink("elsewhere", folder.file("link"))
        for name in ["missing/lock", "link"] {
            #expect(throws: SystemError.self) { _ = try FileLock(folder.file(name)) }
        }
    }
}
