import HomingLocation
import HomingMachine
import HomingRuntime
import Testing

@testable import HomingSources

/// With the real gpsd.
@Suite struct GPSDSourceTests {
    private let recorder: Recorder

    init() {
        TestLoop.start()
        recorder = Recorder()
    }

    private func nextDisconnection() async throws {
        try await recorder.next("a disconnection") {
            if case .gpsd(.disconnected) = $0 { true } else { false }
        }
    }

    @Test("a gpsd that is absent at start is found when it comes, and so after a restart")
    @LoopActor func reconnects() async throws {
        let gpsd = try RealGPSD()
        let source = GPSDSource(
            port: gpsd.port, rhythm: .patient(quick: 0.1, patience: 120, slow: 60),
            clock: SystemClock(), deliver: recorder.deliver)
        source.start()
        try await recorder.next("a refusal") {
            guard case .gpsd(.disconnected(let text)) = $0 else { return false }
            return text.contains("refused")
        }
        for _ in 0..<2 {
            try gpsd.start()
            gpsd.feed(.fix)
            try await recorder.next(.gpsd(.watching(receivers: 1)))
            try await recorder.position("a position")
            gpsd.stop()
            // By a reset, if it had not read all that we said.
            try await nextDisconnection()
        }
        source.shutdown()
    }

    @Test("a fix brings place, accuracy, altitude, speed, course and time; without one, mode 1")
    @LoopActor func readsReports() async throws {
        let gpsd = try RealGPSD()
        try gpsd.start()
        gpsd.feed(.fix)
        let source = GPSDSource(
            port: gpsd.port, rhythm: .patient(quick: 0.1, patience: 120, slow: 60),
            clock: SystemClock(), deliver: recorder.deliver)
        source.start()
        let whole = try await recorder.position("a whole fix") {
            $0.mode == .threeDimensional && $0.time != nil && $0.course != nil
        }
        let latitude = try #require(whole.latitude)
        let longitude = try #require(whole.longitude)
        let altitude = try #require(whole.altitude)
        #expect(abs(latitude - 48.1173) < 1e-6 && abs(longitude - 11.516667) < 1e-6)
        #expect(abs(altitude - 545.4) < 0.1 && (whole.accuracy ?? 0) > 1)
        #expect(abs((whole.speed ?? 0) - 2) < 0.1 && whole.course == 90)
        #expect(abs((whole.time ?? 0) - SystemClock.now().unixTime) < 20)
        #expect(whole.source == .gpsd)
        gpsd.feed(.noFix)
        let nowhere = try await recorder.position("a report without a fix") { $0.mode == .none }
        #expect(nowhere.latitude == nil && nowhere.longitude == nil && nowhere.accuracy == nil)
        #expect(nowhere.altitude == nil && nowhere.speed == nil && nowhere.course == nil)
        source.shutdown()
    }

    @Test("a receiver unplugged and plugged again is counted")
    @LoopActor func countsReceivers() async throws {
        let gpsd = try RealGPSD()
        try gpsd.start()
        let source = GPSDSource(
            port: gpsd.port, rhythm: .patient(quick: 0.1, patience: 120, slow: 60),
            clock: SystemClock(), deliver: recorder.deliver)
        source.start()
        try await recorder.next(.gpsd(.watching(receivers: 1)))
        try gpsd.plug(false)
        try await recorder.next(.gpsd(.watching(receivers: 0)))
        try gpsd.plug(true)
        try await recorder.next(.gpsd(.watching(receivers: 1)))
        gpsd.feed(.fix)
        try await recorder.position("a position")
        source.shutdown()
    }

    @Test("a gpsd without a receiver may be silent")
    @LoopActor func bearsAbsentReceiver() async throws {
        let gpsd = try RealGPSD()
        try gpsd.start(withReceiver: false)
        let source = GPSDSource(
            port: gpsd.port, silence: 1, rhythm: .patient(quick: 0.1, patience: 120, slow: 60),
            clock: SystemClock(), deliver: recorder.deliver)
        source.start()
        try await recorder.next(.gpsd(.watching(receivers: 0)))
        let count = recorder.seen.count
        await Watch.pause(2.5)
        #expect(recorder.seen.count == count)
        source.shutdown()
    }

    @Test("a frozen gpsd is silent, and watched again when it thaws")
    @LoopActor func survivesFreezing() async throws {
        let gpsd = try RealGPSD()
        try gpsd.start()
        gpsd.feed(.fix)
        let source = GPSDSource(
            port: gpsd.port, silence: 1, rhythm: .patient(quick: 0.1, patience: 120, slow: 60),
            clock: SystemClock(), deliver: recorder.deliver)
        source.start()
        try await recorder.position("a position")
        gpsd.freeze(true)
        try await recorder.next(.gpsd(.disconnected(GPSDSource.silentText)))
        gpsd.freeze(false)
        try await recorder.next(.gpsd(.watching(receivers: 1)))
        try await recorder.position("a position")
        source.shutdown()
    }

    @Test("at rest nothing is connected nor delivered; watching again starts at once")
    @LoopActor func rests() async throws {
        let gpsd = try RealGPSD()
        try gpsd.start()
        gpsd.feed(.fix)
        let source = GPSDSource(
            port: gpsd.port, rhythm: .patient(quick: 0.1, patience: 120, slow: 60),
            clock: SystemClock(), deliver: recorder.deliver)
        source.watch()
        try await recorder.next(.gpsd(.watching(receivers: 1)))
        try await recorder.position("a position")
        source.rest()
        try await recorder.next(.gpsd(.resting))
        let count = recorder.seen.count
        await Watch.pause(0.6)
        #expect(recorder.seen.count == count)
        source.watch()
        source.watch()
        try await recorder.next(.gpsd(.watching(receivers: 1)))
        try await recorder.position("a position")
        source.shutdown()
    }

    /// A source whose gpsd was not there, and whose next try is further away than a test waits.
    @LoopActor private func waiting(for port: UInt16) async throws -> GPSDSource {
        let source = GPSDSource(
            port: port, rhythm: .patient(quick: 600, patience: 120, slow: 60),
            clock: SystemClock(), deliver: recorder.deliver)
        source.watch()
        try await recorder.next("gpsd's absence") {
            if case .gpsd(.disconnected) = $0 { true } else { false }
        }
        return source
    }

    @Test("somebody who wants a position does not wait for the next try", arguments: [true, false])
    @LoopActor func triesAtOnce(isRequest: Bool) async throws {
        let port = try Loopback.freePort()
        let source = try await waiting(for: port)
        let gpsd = try FakeGPSD(port: port) { $0.send(FakeGPSD.version + FakeGPSD.oneReceiver) }
        if isRequest { source.watch() } else { source.retryNow() }
        try await recorder.next(.gpsd(.watching(receivers: 1)))
        #expect(gpsd.watchers.count == 1)
        source.shutdown()
    }

    @Test("a source at rest is not woken by what may help others")
    @LoopActor func staysAtRest() async throws {
        let port = try Loopback.freePort()
        let source = try await waiting(for: port)
        source.rest()
        try await recorder.next(.gpsd(.resting))
        let gpsd = try FakeGPSD(port: port) { $0.send(FakeGPSD.version) }
        source.retryNow()
        await Watch.pause(0.2)
        #expect(gpsd.clients.isEmpty)
        source.watch()
        try await eventually("a client") { !gpsd.clients.isEmpty }
        source.shutdown()
    }
}
