import Glibc
import HomingCore
import HomingRuntime
import Testing

@testable import HomingSources

/// A gpsd on another machine that goes away while it is being connected to.
@Suite struct GPSDHangTests {
    init() { TestLoop.start() }

    /// Takes one connection into its queue and none after it: who connects next waits for minutes.
    private static func listener() throws -> Int32 {
        let descriptor = try Loopback.bound(.stream)
        guard listen(descriptor, 0) == 0 else { throw SystemError("listen") }
        return descriptor
    }

    @Test("the loop turns while a gpsd that answered once takes no further connection")
    @LoopActor func turns() async throws {
        let listener = try Self.listener()
        defer { close(listener) }
        let source = GPSDSource(port: Loopback.port(of: listener), deliver: { _ in })
        source.start()
        var longest: Seconds = 0
        for _ in 0..<20 {
            let start = SystemClock.now().uptime
            await Watch.pause(0.05)
            longest = max(longest, SystemClock.now().uptime - start)
        }
        #expect(longest < 1, "the loop stood still for \(longest) s")
        source.shutdown()
    }
}
