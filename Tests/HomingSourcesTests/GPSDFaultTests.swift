import HomingLocation
import HomingMachine
import HomingRuntime
import Testing

@testable import HomingSources

/// With a server that does what gpsd should not.
@Suite struct GPSDFaultTests {
    private let recorder: Recorder

    init() {
        TestLoop.start()
        recorder = Recorder()
    }

    @LoopActor private func source(
        _ gpsd: FakeGPSD, silence: Seconds = 30,
        rhythm: Pacer.Rhythm = .patient(quick: 0.1, patience: 120, slow: 60)
    ) -> GPSDSource {
        let source = GPSDSource(
            port: gpsd.port, silence: silence, rhythm: rhythm, clock: SystemClock(),
            deliver: recorder.deliver)
        source.start()
        return source
    }

    private static let watching = Observation.gpsd(.watching(receivers: 1))

    @Test(
        "garbage is passed over",
        arguments: [
            "", "{", "}{\"class\":", "\0\0\0", "{\"class\":\"TPV\"",
            "{\"class\":\"TPV\",\"mode\":}",
            "{\"class\":\"DEVICES\",\"devices\":[[[[[[",
            "{\"class\":\"SKY\",\"satellites\":[{\"PRN\":",
            "HTTP/1.1 400 Bad Request", "\u{FF}\u{FE}é", String(repeating: "[", count: 9000),
            "{\"class\":\"" + String(repeating: "x", count: 9000) + "\"}",
            "{\"class\":\"DEVICE\",\"activated\":\"never\"}",
            "{\"class\":\"ERROR\",\"message\":\"\"}",
        ])
    @LoopActor func passesOverGarbage(garbage: String) async throws {
        let gpsd = try FakeGPSD(saying: FakeGPSD.oneReceiver, garbage + "\n", FakeGPSD.fix)
        let source = source(gpsd)
        try await recorder.next(Self.watching)
        try await recorder.position("the fix") { $0.latitude == 48.5 }
        source.shutdown()
    }

    private static func devices(_ device: String, count: Int) -> String {
        let list = Array(repeating: "{\"class\":\"DEVICE\",\(device)}", count: count)
        return "{\"class\":\"DEVICES\",\"devices\":[\(list.joined(separator: ","))]}\r\n"
    }

    @Test("as many devices as there are, with words of any version, are counted and stop nothing")
    @LoopActor func countsDevices() async throws {
        let open = #""path":"/dev/ttyUSB0","new":[1],"activated":"2026-11-20T10:00:00.000Z""#
        let closed = #""path":"/dev/ttyUSB1","activated":0"#
        let gpsd = try FakeGPSD(
            saying: Self.devices(open, count: 12), FakeGPSD.fix, Self.devices(closed, count: 5))
        let source = source(gpsd)
        try await recorder.next(.gpsd(.watching(receivers: 12)))
        try await recorder.position("the fix") { $0.latitude == 48.5 }
        try await recorder.next(.gpsd(.watching(receivers: 0)))
        source.shutdown()
    }

    @Test(
        "a report in which libgps would look for another message for ever costs only itself",
        arguments: [
            #"{"class":"TPV","new":1,"class":"TPV"}"#, #"{"class":"TPV" {"class":"TPV","mode":3}"#,
            #"{"class":"TPV","device":"\"class\":"#, "{\"class\":\"TPV\",\0\"class\":\"TPV\"}",
        ])
    @LoopActor func passesOverNestedClass(report: String) async throws {
        let gpsd = try FakeGPSD(saying: FakeGPSD.oneReceiver, report + "\n", FakeGPSD.fix)
        let source = source(gpsd)
        try await recorder.position("the fix") { $0.latitude == 48.5 }
        source.shutdown()
    }

    @Test("numbers that are none, or too large to be finite, are absent")
    @LoopActor func dropsAbsurdNumbers() async throws {
        let gpsd = try FakeGPSD(
            saying: FakeGPSD.oneReceiver,
            #"{"class":"TPV","mode":3,"lat":1e999,"lon":11.5,"epx":3,"epy":4,"speed":-1e999}"#
                + "\n"
        )
        let source = source(gpsd)
        let report = try await recorder.position("a report")
        #expect(report.latitude == nil && report.speed == nil && report.time == nil)
        #expect(report.longitude == 11.5 && report.accuracy == 5)
        source.shutdown()
    }

    @Test("a fraction of a second that is none makes no time")
    @LoopActor func dropsAbsurdTime() async throws {
        let gpsd = try FakeGPSD(
            saying: FakeGPSD.oneReceiver,
            #"{"class":"TPV","mode":3,"time":"2026-11-20T10:00:00.1e400000Z","lat":1,"lon":2}"#
                + "\n"
        )
        let source = source(gpsd)
        let report = try await recorder.position("a report")
        #expect(report.time == nil && report.latitude == 1)
        source.shutdown()
    }

    @Test("a message that libgps ignores does not repeat the report before it")
    @LoopActor func repeatsNothing() async throws {
        let closed = #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":0}"# + "\r\n"
        let gpsd = try FakeGPSD(
            saying: FakeGPSD.oneReceiver, FakeGPSD.fix, closed, "nonsense\n", FakeGPSD.noReceiver)
        let source = source(gpsd)
        try await recorder.next(.gpsd(.watching(receivers: 0)))
        #expect(recorder.seen.count == 3)
        try await eventually("a question about the devices") {
            gpsd.watchers.first?.received.contains("?DEVICES;") ?? false
        }
        source.shutdown()
    }

    @Test("a line without end is cut, and tried again in rhythm")
    @LoopActor func cutsEndlessLine() async throws {
        let gpsd = try FakeGPSD { $0.flood(String(repeating: "x", count: 1000)) }
        let begin = SystemClock.now().uptime
        let source = source(gpsd, rhythm: .patient(quick: 0.5, patience: 120, slow: 60))
        try await recorder.next(.gpsd(.disconnected("gpsd sent a line without end")))
        #expect(recorder.seen.count == 1)
        await Watch.pause(1.2)
        let tries = (SystemClock.now().uptime - begin) / 0.5 + 1
        #expect(Double(gpsd.clients.count) <= 2 * tries)
        source.shutdown()
    }

    @Test("half a line and then nothing is silence, told once, and tried again in rhythm")
    @LoopActor func endsHalfLine() async throws {
        let gpsd = try FakeGPSD(saying: FakeGPSD.oneReceiver, #"{"class":"TPV","mode":3,"lat"#)
        let source = source(gpsd, silence: 1)
        try await recorder.next(Self.watching)
        try await recorder.next(.gpsd(.disconnected(GPSDSource.silentText)))
        try await eventually("three tries") { gpsd.watchers.count >= 3 }
        #expect(recorder.seen.count == 2)
        source.rest()
        source.watch()
        try await recorder.next(.gpsd(.resting))
        try await recorder.next(Self.watching)
        source.shutdown()
    }

    @Test("tries after silence get seldom, for connecting alone is no success")
    @LoopActor func slowsAfterSilence() async throws {
        let gpsd = try FakeGPSD(saying: FakeGPSD.oneReceiver)
        let rhythm = Pacer.Rhythm.patient(quick: 0.1, patience: 0.5, slow: 60)
        let source = source(gpsd, silence: 1, rhythm: rhythm)
        try await eventually("a second try") { gpsd.watchers.count == 2 }
        await Watch.pause(3)
        #expect(gpsd.watchers.count == 2)
        source.shutdown()
    }

    @Test("a server that accepts and says nothing is silent too")
    @LoopActor func distrustsMute() async throws {
        let gpsd = try FakeGPSD { _ in }
        let source = source(gpsd, silence: 1)
        try await recorder.next(.gpsd(.disconnected(GPSDSource.silentText)))
        source.shutdown()
    }

    @Test("a flood of reports leaves the loop its turns")
    @LoopActor func bearsFlood() async throws {
        let reports = String(repeating: FakeGPSD.fix, count: 100)
        let gpsd = try FakeGPSD { $0.flood(reports) }
        let source = source(gpsd)
        try await recorder.position("a report")
        let begin = SystemClock.now().uptime
        await Watch.pause(0.2)
        #expect(SystemClock.now().uptime - begin < 10)
        source.shutdown()
    }

    @Test("whoever gets an observation may send the source to rest from within", arguments: 1...3)
    @LoopActor func restsFromWithin(count: Int) async throws {
        // The first report tells the state, too, as gpsd has not spoken of its receivers.
        let gpsd = try FakeGPSD(saying: FakeGPSD.fix, FakeGPSD.fix, FakeGPSD.fix)
        var source: GPSDSource?
        source = GPSDSource(port: gpsd.port, clock: SystemClock()) { [recorder] observation in
            recorder.deliver(observation)
            if recorder.seen.count == count { source?.rest() }
        }
        source?.start()
        try await recorder.next(.gpsd(.resting))
        try await eventually("the hang-up") { gpsd.watchers.allSatisfy(\.hungUp) }
        #expect(recorder.seen.count == count + 1)
        source?.shutdown()
        source = nil
    }

    @Test("a child does not inherit the connection, which would keep the receiver awake")
    @LoopActor func keepsConnectionFromChildren() async throws {
        let gpsd = try FakeGPSD(saying: FakeGPSD.oneReceiver)
        let source = source(gpsd)
        try await recorder.next(Self.watching)
        let child = try Child(["sleep", "60"])
        source.rest()
        try await eventually("the hang-up") { gpsd.watchers.allSatisfy(\.hungUp) }
        child.stop()
        source.shutdown()
    }

    @Test("a rest while connecting is a rest")
    @LoopActor func restsWhileConnecting() async throws {
        let gpsd = try FakeGPSD(saying: FakeGPSD.oneReceiver, FakeGPSD.fix)
        let source = source(gpsd)
        source.rest()
        await Watch.pause(0.3)
        #expect(recorder.seen == [.gpsd(.resting)])
        #expect(gpsd.watchers.isEmpty)
        source.shutdown()
    }

    @Test("a host that does not exist is a disconnection, however slow the resolver")
    @LoopActor func tellsUnknownHost() async throws {
        let source = GPSDSource(
            host: "gpsd.invalid", clock: SystemClock(), deliver: recorder.deliver)
        source.start()
        try await recorder.next("a disconnection", within: 10) {
            if case .gpsd(.disconnected) = $0 { true } else { false }
        }
        source.shutdown()
    }

    @Test("a connection that resets as soon as it is made kills nobody")
    @LoopActor func survivesReset() async throws {
        let gpsd = try FakeGPSD { $0.reset() }
        let source = source(gpsd)
        try await recorder.next("a disconnection") {
            if case .gpsd(.disconnected) = $0 { true } else { false }
        }
        try await eventually("more tries") { gpsd.clients.count >= 6 }
        source.shutdown()
    }
}
