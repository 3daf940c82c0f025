import HomingConfiguration
import HomingCore
import Testing

@testable import HomingDoctor

struct ReceiverChecksTests {
    private static let checks = ReceiverChecks(
        settings: Configuration().gpsd, maxAccuracy: 100)

    private static func probe(_ lines: [String]) -> GPSDProbe {
        lines.reduce(into: GPSDProbe()) { $0.take(Array($1.utf8)) }
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

    /// 2026-11-21T12:00:00Z.
    private static let noon = 1_795_262_400.0

    @Test(
        "each fault of a receiver is named",
        arguments: [
            ([version, devices, tpv(3)], noon, nil),
            ([version], noon, Warnable.noReceiver),
            ([version, devices, tpv(1)], noon, .noFix),
            ([version, devices, tpv(2, eph: nil)], noon, .noFix),
            ([version, devices, tpv(3, eph: 500)], noon, .noFix),
            ([version, devices, tpv(3)], noon - 60, .clockBehind),
            ([version, devices, tpv(3)], noon + 600, .clockAhead),
        ] as [([String], Double, Warnable?)])
    func faults(lines: [String], now: Double, wanted: Warnable?) {
        let findings = Self.checks.judge(Self.probe(lines), now: now)
        #expect(findings.compactMap(\.problem) == [wanted].compactMap { $0 })
    }

    @Test("a line that is no report changes nothing")
    func garbage() {
        #expect(Self.probe(["", "{", "[]", #"{"class":"SKY"}"#, "\u{0}"]) == GPSDProbe())
    }
}
