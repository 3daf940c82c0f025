import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSocket

/// Failures that a command meets when a program does not do its part.
@Suite struct LineClientTests {
    init() { LoopThread.start() }

    @Test("Who bounds the wait is told of a program that hangs, and does not hang with it")
    func hang() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        // It listens, and takes nobody.
        let listener = try UnixSocket.listen(on: path)
        defer { close(listener) }
        let client = try LineClient<Lamp>(path: path)
        client.wait(atMost: 1)
        let start = ContinuousClock.now
        let failure = try thrown(LineError.self) { try client.call(.look, returning: Done.self) }
        #expect(failure?.exitCode == .unavailable)
        #expect(failure?.message == "the lamp does not answer")
        #expect(.now - start >= .milliseconds(900))
    }

    @Test("A wait while the loop turns has a bound, too")
    @LoopActor func hangWhileLoopTurns() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        let listener = try UnixSocket.listen(on: path)
        defer { close(listener) }
        let client = try LineClient<Lamp>(path: path)
        do throws(LineError) {
            _ = try await client.callWhileLoopTurns(.look, returning: Done.self, within: 1)
            Issue.record("nobody answers")
        } catch { #expect(error.message == "the lamp does not answer") }
    }

    @Test("Who meets a program with a full queue is told that the program does not answer")
    func fullQueue() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        let listener = try UnixSocket.listen(on: path)
        #expect(Glibc.listen(listener, 0) == 0)
        let waiting = try UnixSocket.connectAtOnce(to: path)
        defer { [waiting, listener].forEach { _ = close($0) } }
        let failure = try thrown(LineError.self) {
            _ = try LineClient<Lamp>.ifListening(path: path, patience: 1)
        }
        #expect(failure?.exitCode == .unavailable)
        #expect(failure?.message == "the lamp does not answer")
    }

    @Test("Where no program listens, there is no client")
    func nobody() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        #expect(try LineClient<Lamp>.ifListening(path: path) == nil)
        #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        #expect(try LineClient<Lamp>.ifListening(path: path) == nil)
        let failure = try thrown(LineError.self) {
            _ = try LineClient<Lamp>(path: path, startHint: "light it")
        }
        #expect(failure?.hint == "light it")
    }

    @Test("The bound on connecting does not bound what is sent later")
    func slowProgram() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        let listener = try UnixSocket.listen(on: path)
        let client = try UnixSocket.connect(to: path, patience: 1)
        defer { [client, listener].forEach { _ = close($0) } }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        var length = socklen_t(MemoryLayout<timeval>.size)
        #expect(getsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, &length) == 0)
        #expect(limit.tv_sec == 0 && limit.tv_usec == 0)
    }
}
