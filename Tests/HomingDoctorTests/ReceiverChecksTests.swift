import HomingConfiguration
import HomingHealth
import Testing

@testable import HomingDoctor

struct ReceiverChecksTests {
    private static func checks(isClockSet: Bool = false) -> ReceiverChecks {
        ReceiverChecks(
            settings: Configuration().gpsd, maxAccuracy: 100, isClockSet: { isClockSet })
    }

    private static func probe(_ lines: [String]) -> GPSDProbe {
        lines.reduce(into: GPSDProbe()) { $0.readGPSDLine(Array($1.utf8)) }
    }

    private static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22"}"#
    private static let devices =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}"#

    private static func tpv(
        _ mode: Int, eph: Double? = 8, time: String = "2026-11-21T12:00:00.000Z"
    )
        -> String
    {
        let accuracy = eph.map { ",\"eph\":\($0)" } ?? ""
        return
            #"{"class":"TPV","mode":\#(mode),"time":"\#(time)","lat":52.3,"lon":4.9\#(accuracy)}"#
    }

    private static let withoutDate = #"{"class":"TPV","mode":3,"lat":52.3,"lon":4.9,"eph":8}"#

    /// 2026-11-21T12:00:00Z.
    private static let noon = 1_795_262_400.0

    @Test(
        "each fault of a receiver is named",
        arguments: [
            ([version, devices, tpv(3)], noon, nil),
            ([version], noon, Warnable.noReceiver),
            ([version, devices, tpv(1)], noon, .noFixNow),
            ([version, devices, tpv(2, eph: nil)], noon, nil),
            ([version, devices, tpv(3, eph: 0)], noon, nil),
            ([version, devices, tpv(3, eph: 500)], noon, .fixesSkipped),
            ([version, devices, withoutDate], noon, .fixesSkipped),
            ([version, devices, tpv(3)], noon - 60, .clockBehind),
            ([version, devices, tpv(3)], noon + 600, .clockAhead),
        ] as [([String], Double, Warnable?)])
    func faults(lines: [String], now: Double, wanted: Warnable?) {
        let findings = Self.checks().judge(Self.probe(lines), now: now)
        #expect(findings.compactMap(\.problem) == [wanted].compactMap { $0 })
    }

    @Test("a line that is no report changes nothing")
    func garbage() {
        #expect(Self.probe(["", "{", "[]", #"{"class":"SKY"}"#, "\u{0}"]) == GPSDProbe())
    }

    @Test("a receiver without a date is well where the clock is set, and says what is missing")
    func undated() {
        let probe = Self.probe([Self.version, Self.devices, Self.withoutDate])
        let findings = Self.checks(isClockSet: true).judge(probe, now: Self.noon)
        #expect(findings.allSatisfy { $0.outcome == .well })
        #expect(findings.last?.detail == "3D, ±8 m, without a date")
    }

    @Test("a fix without an accuracy is said to be estimated")
    func estimated() {
        let probe = Self.probe([Self.version, Self.devices, Self.tpv(2, eph: nil)])
        let findings = Self.checks().judge(probe, now: Self.noon)
        #expect(findings.last?.detail == "2D, accuracy estimated")
    }

    @Test("of several receivers the chosen one is looked at, and missed")
    func chosen() throws {
        var settings = Configuration().gpsd
        settings.device = "/dev/ttyACM1"
        let checks = ReceiverChecks(settings: settings, maxAccuracy: 100)
        var probe = Self.probe([Self.version, Self.devices])
        let missing = checks.judge(probe, now: Self.noon)
        #expect(missing.last?.problem == .noReceiver)
        #expect(missing.last?.detail == "gpsd has /dev/ttyACM0, and not /dev/ttyACM1")
        probe.device = settings.device
        probe.readGPSDLine(
            Array(#"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"lat":52.3,"lon":4.9}"#.utf8))
        #expect(probe.mode == 0)
        probe.readGPSDLine(
            Array(#"{"class":"TPV","device":"/dev/ttyACM1","mode":2,"lat":52.3,"lon":4.9}"#.utf8))
        #expect(probe.mode == 2)
    }
}
