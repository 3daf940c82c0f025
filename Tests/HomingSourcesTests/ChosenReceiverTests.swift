import HomingLocation
import HomingMachine
import HomingRuntime
import Testing

@testable import HomingSources

/// `[gpsd] device`: one receiver among several.
@Suite struct ChosenReceiverTests {
    init() { TestLoop.start() }

    private static func fix(_ device: String, latitude: Double) -> String {
        #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2026-11-20T10:00:00.000Z","#
            + #""lat":\#(latitude),"lon":11.5,"eph":9.5}"# + "\r\n"
    }

    private static let two =
        #"{"class":"DEVICES","devices":["#
        + #"{"class":"DEVICE","path":"/dev/a","activated":"2026-11-20T10:00:00.000Z"},"#
        + #"{"class":"DEVICE","path":"/dev/b","activated":"2026-11-20T10:00:00.000Z"}]}"# + "\r\n"

    @Test("Of two receivers only the chosen one gives positions")
    @LoopActor func chosen() async throws {
        let recorder = Recorder()
        let gpsd = try FakeGPSD(
            saying: Self.two, Self.fix("/dev/a", latitude: 10), Self.fix("/dev/b", latitude: 20),
            Self.fix("/dev/a", latitude: 11), Self.fix("/dev/b", latitude: 21))
        let source = GPSDSource(
            port: gpsd.port, device: "/dev/b", clock: SystemClock(), deliver: recorder.deliver)
        source.start()
        try await recorder.position("the last") { $0.latitude == 21 }
        let places = recorder.seen.compactMap { observation -> Double? in
            if case .position(let report) = observation { report.latitude } else { nil }
        }
        #expect(places == [20, 21])
        source.shutdown()
    }

    @Test("gpsd is asked for the sentences of the chosen receiver alone")
    @LoopActor func sentences() async throws {
        let undated = (0..<5).map { index in
            #"{"class":"TPV","device":"/dev/b","mode":3,"lat":\#(index),"lon":11.5,"eph":9.5}"#
                + "\r\n"
        }
        let gpsd = try FakeGPSD(saying: Self.two, undated.joined())
        let source = GPSDSource(
            port: gpsd.port, device: "/dev/b", clock: SystemClock(), deliver: { _ in })
        source.start()
        try await eventually("the request") {
            gpsd.clients.contains { $0.received.contains(#""nmea":true"#) }
        }
        let request = gpsd.clients.last?.received.split(separator: "\n").last
        #expect(
            request == #"?WATCH={"device":"/dev/b","enable":true,"json":true,"nmea":true};"#)
        source.shutdown()
    }

    @Test("Where the chosen one is not there, gpsd is not silent: it has no receiver")
    @LoopActor func missing() async throws {
        let recorder = Recorder()
        let gpsd = try FakeGPSD(saying: Self.two, Self.fix("/dev/a", latitude: 10))
        let source = GPSDSource(
            port: gpsd.port, device: "/dev/c", silence: 0.5, clock: SystemClock(),
            deliver: recorder.deliver)
        source.start()
        try await recorder.next(.gpsd(.watching(receivers: 2)))
        try await recorder.next(.gpsd(.watching(receivers: 0)))
        source.shutdown()
    }
}
