import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSocket

@Suite struct UnixSocketTests {
    init() { LoopThread.start() }

    @Test("A path too long for a socket is refused with the path named, and nothing left open")
    func longPath() async throws {
        let path = "/tmp/" + String(repeating: "x", count: 200)
        let before = Self.openDescriptors
        for _ in 0..<200 {
            let failure = try thrown(SystemError.self) {
                _ = try UnixSocket.connect(to: path)
            }
            #expect(failure?.number == ENAMETOOLONG && failure?.action.contains(path) == true)
            #expect(throws: SystemError.self) { _ = try UnixSocket.listen(on: path) }
        }
        // Other tests of this process open many at the same time, and close theirs again.
        // A leak of this test never closes, so one low count proves that nothing leaks.
        let deadline = ContinuousClock.now + .seconds(20)
        var more = Self.openDescriptors - before
        while more >= 100, .now < deadline {
            try await Task.sleep(for: .milliseconds(10))
            more = Self.openDescriptors - before
        }
        #expect(more < 100)
    }

    @Test("A daemon too busy to take a connection is a living one")
    func busyDaemon() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        let listener = try UnixSocket.listen(on: path)
        #expect(Glibc.listen(listener, 0) == 0)
        var clients: [Int32] = []
        defer { (clients + [listener]).forEach { _ = close($0) } }
        let full = try thrown(SystemError.self) {
            while clients.count < 100 {
                clients.append(
                    try UnixSocket.connectAtOnce(to: path))
            }
        }
        #expect(full?.number == EAGAIN)
        #expect(UnixSocket.owner(of: path) == geteuid())
        let start = ContinuousClock.now
        let late = try thrown(SystemError.self) {
            _ = try UnixSocket.connect(to: path, patience: 1)
        }
        #expect(late?.number == EAGAIN && .now - start >= .milliseconds(900))
        let failure = try thrown(SystemError.self) { _ = try UnixSocket.listen(on: path) }
        #expect(failure?.number == EADDRINUSE)
    }

    @LoopActor private static func serve(_ path: String) throws -> LineServer<Lamp> {
        try LineServer(path: path) { _, request in request.reply(Done()) }
    }

    @Test("A second daemon does not take the socket of a living one")
    func secondDaemon() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        let server = try await Self.serve(path)
        await #expect(throws: SystemError.self) { _ = try await Self.serve(path) }
        await spawn { server.shutdown() }.value
    }

    @Test("A socket left by a dead daemon is taken over")
    func staleSocket() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        #expect(UnixSocket.owner(of: path) == nil)
        let server = try await Self.serve(path)
        #expect(try LineClient<Lamp>(path: path).call(.look, returning: Done.self) == Done())
        await spawn { server.shutdown() }.value
    }

    private static var openDescriptors: Int {
        ((try? Folders.names(in: "/proc/self/fd")) ?? []).count
    }
}
