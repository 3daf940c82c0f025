import HomingBase
import HomingLocation
import Testing

/// Fixes while no Home Assistant is to get them.
@Suite struct ReportReaderTests {
    private static func fix(_ time: Seconds) throws -> Fix {
        Fix(
            coordinate: try #require(Coordinate(latitude: 10, longitude: 4.9)), accuracy: 5,
            time: time, mode: .threeDimensional)
    }

    private static func moment(_ time: Seconds) -> Moment { Moment(uptime: time, unixTime: time) }

    @Test(
        "Without a reader each fix is skipped for that reason, and the first one after is reported")
    func noReader() throws {
        var policy = ReportPolicy()
        policy.hasReader = false
        for time in stride(from: Seconds(1000), to: 1010, by: 1) {
            let decision = policy.consider(try Self.fix(time), at: Self.moment(time))
            #expect(decision == .skip(.unregistered))
        }
        #expect(policy.skipped == [.unregistered: 10])
        policy.hasReader = true
        #expect(policy.consider(try Self.fix(1010), at: Self.moment(1010)) == .report(.first))
    }

    @Test("What may not be told at all is skipped for that reason first")
    func untold() throws {
        var policy = ReportPolicy(settings: .init(disclosure: .never))
        policy.hasReader = false
        #expect(policy.consider(try Self.fix(1000), at: Self.moment(1000)) == .skip(.undisclosed))
    }
}
