import Glibc
import HomingRuntime
import Testing

@testable import HomingSources

/// A gpsd on another machine that goes away while it is being connected to.
@Suite struct GPSDHangTests {
    init() { TestLoop.start() }

    /// Listens, and has one connection in its queue, which takes no other: the next client waits
    /// for minutes.
    private static func listener() throws -> (listener: Int32, client: Int32) {
        let listener = try Loopback.bound(.stream)
        guard listen(listener, 0) == 0 else { throw SystemError("listen") }
        let client = Loopback.open(AF_INET, .stream)
        let answer = Loopback.withAddress(Loopback.port(of: listener)) { connect(client, $0, $1) }
        guard answer == 0 else { throw SystemError("connect") }
        return (listener, client)
    }

    @Test("The loop turns while gpsd takes no connection")
    @LoopActor func turns() async throws {
        let (listener, client) = try Self.listener()
        defer {
            close(client)
            close(listener)
        }
        let source = GPSDSource(
            port: Loopback.port(of: listener), clock: SystemClock(), deliver: { _ in })
        var last = SystemClock.now().uptime
        var longest: Seconds = 0
        source.start()
        for _ in 0..<20 {
            await Watch.pause(0.05)
            let now = SystemClock.now().uptime
            longest = max(longest, now - last)
            last = now
        }
        #expect(longest < 1, "the loop stood still for \(longest) s")
        source.shutdown()
    }
}
