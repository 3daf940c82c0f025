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

    @Test("what the receiver sees of the sky is told, and is neither a position nor a state")
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
        #expect(facts.seen == [.sky(SkyView(used: 2, seen: 3, hdop: 0.94))])
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
        try await facts.next(.sky(SkyView(used: 2, seen: 3, hdop: 0.9)))
        source.shutdown()
    }
}
