import Glibc
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
}
