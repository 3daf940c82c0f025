import HomingLocation
import HomingMachine
import HomingRuntime
import Testing

@testable import HomingSources

@Suite struct SkyTests {
    init() { TestLoop.start() }

    private static let sky =
        #"{"class":"SKY","device":"/dev/ttyUSB0","time":"2026-11-20T10:00:00.000Z","hdop":0.94,"#
        + #""pdop":1.5,"nSat":3,"uSat":2,"satellites":["#
        + #"{"PRN":1,"el":10.0,"az":20.0,"ss":30.0,"used":true,"gnssid":0,"svid":1},"#
        + #"{"PRN":2,"el":40.0,"az":50.0,"ss":35.0,"used":true,"gnssid":0,"svid":2},"#
        + #"{"PRN":3,"el":70.0,"az":80.0,"ss":10.0,"used":false,"gnssid":0,"svid":3}]}"# + "\r\n"

    @Test(
        "what the receiver sees of the sky is told on request, and is neither a position nor a state"
    )
    @LoopActor func sky() async throws {
        let (recorder, facts) = (Recorder(), FactRecorder())
        let gpsd = try FakeGPSD(saying: FakeGPSD.oneReceiver, Self.sky, FakeGPSD.fix)
        let source = GPSDSource(
            port: gpsd.port,
            clock: SystemClock(),
            deliver: {
                recorder.deliver($0)
                facts.deliver($0)
            })
        source.start()
        try await recorder.position("the fix")
        #expect(facts.seen.isEmpty, "nobody asked")
        source.tellSky()
        #expect(facts.seen == [.sky(SkyView(used: 2, seen: 3, hdop: 0.94))])
        source.rest()
        #expect(facts.seen.count == 2, "what was seen before the rest is told")
        source.tellSky()
        #expect(facts.seen.count == 2, "a receiver at rest sees nothing")
        source.shutdown()
    }

    @Test("a real gpsd's receiver is seen to use satellites")
    @LoopActor func realSky() async throws {
        let gpsd = try RealGPSD()
        try gpsd.start()
        gpsd.feed(.fixWithSky)
        let facts = FactRecorder()
        let source = GPSDSource(port: gpsd.port, clock: SystemClock(), deliver: facts.deliver)
        source.start()
        // Of those the fix was made from, two are in view.
        let view = Observation.sky(SkyView(used: 2, seen: 3, hdop: 0.9))
        for _ in 0..<100 where !facts.seen.contains(view) {
            await Watch.pause(0.1)
            source.tellSky()
        }
        #expect(facts.seen.contains(view))
        source.shutdown()
    }

    @Test("the newest report is kept, and beside it the newest with an HDOP")
    func lines() {
        var lines = SkyLines()
        let keep = { (text: String, hasHDOP: Bool) in
            Array(text.utf8).withUnsafeBufferPointer { lines.keep($0, hasHDOP: hasHDOP) }
        }
        let text = { (line: [CChar]) in
            String(decoding: line.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        #expect(lines.newest.isEmpty && lines.withHDOP.isEmpty)
        keep("bare", false)
        #expect(text(lines.newest) == "bare" && lines.withHDOP.isEmpty)
        keep("first", true)
        #expect(text(lines.newest) == "first" && text(lines.withHDOP) == "first")
        keep("bare 2", false)
        keep("bare 3", false)
        #expect(text(lines.newest) == "bare 3" && text(lines.withHDOP) == "first")
        keep("second", true)
        #expect(text(lines.newest) == "second" && text(lines.withHDOP) == "second")
    }

    @Test("a report without an HDOP does not take away the one before")
    @LoopActor func bareReport() async throws {
        let bare = Self.sky.replacing(#""hdop":0.94,"#, with: "")
        let fix =
            #"{"class":"TPV","mode":2,"time":"2026-11-20T10:00:00.000Z","lat":48.5,"lon":11.5}"#
        let gpsd = try FakeGPSD(saying: FakeGPSD.oneReceiver, Self.sky, bare, fix + "\r\n")
        let (recorder, facts) = (Recorder(), FactRecorder())
        let source = GPSDSource(
            port: gpsd.port, clock: SystemClock(),
            deliver: {
                recorder.deliver($0)
                facts.deliver($0)
            })
        source.start()
        #expect(try await recorder.position("the fix").hdop == 0.94)
        source.tellSky()
        #expect(facts.seen == [.sky(SkyView(used: 2, seen: 3, hdop: nil))])
        source.shutdown()
    }
}
