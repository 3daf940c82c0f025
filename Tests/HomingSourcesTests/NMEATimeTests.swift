import HomingLocation
import HomingRuntime
import Testing

@testable import HomingSources

/// The time of day in a receiver's sentences.
@Suite struct NMEATimeTests {
    init() { TestLoop.start() }

    @Test(
        "GGA and RMC tell it, to the fraction of a second",
        arguments: [
            ("$GPGGA,184134.091,5222.38,N,00453.53,E,1,09,0.9,1.4,M,43.1,M,,*5A", 67_294.091),
            ("$GNRMC,000000,A,5222.38,N,00453.53,E,3.9,90.0,,,,A*5A", 0.0),
            ("$GLGGA,235960.5,,,,,0,00,,,M,,M,,*5A", 86_400.5),
        ])
    func time(line: String, expected: Seconds) throws {
        let time = try #require(NMEATime.read(Array(line.utf8)[...]))
        #expect(abs(time - expected) < 1e-6)
    }

    @Test(
        "Nothing else does",
        arguments: [
            "", "$", "$GPGGA,", "$GPGGA,,,,,,0,00,99.9,,,,,,", "$GPGGA,18413,5222",
            "$GPGGA,184x34,",
            "$GPGGA,184134.12345678901,", "$GPGGA,254134,", "$GPGGA,186134,",
            "$GPGSV,184134,", "GPGGA,184134,5222.38,N", "$GPGGA,184134x,5222.38,N",
            "{\"class\":\"TPV\"}",
        ])
    func nothing(line: String) {
        #expect(NMEATime.read(Array(line.utf8)[...]) == nil)
    }

    @Test(
        "A real gpsd reports no time for a receiver of GGA alone, and its sentences tell it",
        arguments: [false, true])
    @LoopActor func realReceiver(isChosen: Bool) async throws {
        let gpsd = try RealGPSD()
        try gpsd.start()
        gpsd.feed(.withoutDate)
        let recorder = Recorder()
        let source = GPSDSource(
            port: gpsd.port, device: isChosen ? gpsd.device : nil, clock: SystemClock(),
            deliver: recorder.deliver)
        source.start()
        let first = try await recorder.position("a fix") { $0.mode >= .twoDimensional }
        #expect(first.time == nil && first.timeOfDay == nil)
        let timed = try await recorder.position("a time of day") { $0.timeOfDay != nil }
        let now = SystemClock.now().unixTime.truncatingRemainder(dividingBy: 86_400)
        let difference = abs(now - (timed.timeOfDay ?? 0))
        #expect(min(difference, 86_400 - difference) < 5 && timed.time == nil)
        source.shutdown()
    }

    @Test("A receiver of RMC alone tells no accuracy; HDOP is told beside a report without one")
    @LoopActor func hdop() async throws {
        let sky =
            #"{"class":"SKY","time":"2026-11-20T10:00:00.000Z","hdop":1.5,"nSat":1,"uSat":1,"#
            + #""satellites":[{"PRN":1,"el":40.0,"az":10.0,"ss":30.0,"used":true}]}"# + "\r\n"
        let fix =
            #"{"class":"TPV","mode":2,"time":"2026-11-20T10:00:00.000Z","lat":48.5,"lon":11.5}"#
        let gpsd = try FakeGPSD(saying: FakeGPSD.oneReceiver, sky, fix + "\r\n")
        let recorder = Recorder()
        let source = GPSDSource(port: gpsd.port, clock: SystemClock(), deliver: recorder.deliver)
        source.start()
        let report = try await recorder.position("the fix")
        #expect(report.accuracy == nil && report.hdop == 1.5)
        source.shutdown()
    }
}
