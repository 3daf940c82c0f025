import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingBus
@testable import HomingSources

/// Whether something vouches for this machine's clock.
@Suite struct ClockTrustTests {
    init() { TestLoop.start() }

    @Test("The kernel decides; where it may not be asked, timesyncd's mark does")
    @LoopActor func sources() throws {
        let folder = try TemporaryFolder()
        let files = HostFiles(root: folder.path)
        func trust(_ kernel: Bool?) -> Bool {
            ClockTrust(
                bus: Bus(.system, clock: SystemClock()), files: files, clock: SystemClock(),
                askKernel: { kernel }
            ).isSet()
        }
        #expect(trust(true) && !trust(false) && !trust(nil))
        let mark = folder.file("run/systemd/timesync")
        for path in [folder.file("run"), folder.file("run/systemd"), mark] { mkdir(path, 0o755) }
        try folder.write("", to: "run/systemd/timesync/synchronized")
        #expect(trust(nil) && !trust(false))
    }

    @Test("The kernel is asked once a minute at most")
    @LoopActor func pace() {
        var asked = 0
        let trust = ClockTrust(
            bus: Bus(.system, clock: SystemClock()), files: HostFiles(root: "/nonexistent"),
            clock: SystemClock()
        ) {
            asked += 1
            return true
        }
        for _ in 0..<100 { #expect(trust.isSet()) }
        #expect(asked == 1)
    }
}
