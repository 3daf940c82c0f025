import HomingBase
import HomingLocation
import Testing

private let start = Moment(uptime: 100, unixTime: 1_800_000_000)

/// A report `north` metres from a fixed place, `seconds` after the start.
private func report(
    north: Double = 0, at seconds: Seconds = 0, accuracy: Double? = 5,
    mode: FixMode = .threeDimensional,
    age: Seconds = 0
) -> PositionReport {
    PositionReport(
        mode: mode, time: start.unixTime + seconds - age, latitude: 52 + north / 111_195,
        longitude: 4.9, accuracy: accuracy)
}

@Suite struct PositionTests {
    private func decide(
        _ positions: inout Positions, _ report: PositionReport, at seconds: Seconds
    ) -> Positions.Decision {
        positions.consider(report, at: start.advanced(by: seconds))
    }

    private func reason(_ decision: Positions.Decision) -> ReportPolicy.Reason? {
        if case .accept(_, let reason) = decision { reason } else { nil }
    }

    @Test(
        "Each gate of quality names what it skips",
        arguments: [
            (report(mode: .none), SkipReason.noFix),
            (report(accuracy: 500), .inaccurate), (report(age: 301), .old),
            (report(age: -11), .future),
            (PositionReport(mode: .twoDimensional, time: start.unixTime, accuracy: 5), .noPlace),
            (
                PositionReport(
                    mode: .twoDimensional, time: start.unixTime, latitude: .nan, longitude: 4,
                    accuracy: 5),
                .noPlace
            ),
            (
                PositionReport(
                    mode: .twoDimensional, time: start.unixTime, latitude: 0, longitude: 0,
                    accuracy: 5),
                .noPlace
            ),
            (
                PositionReport(mode: .twoDimensional, latitude: 52, longitude: 4, accuracy: 5),
                .noTime
            ),
        ])
    func qualityGates(report: PositionReport, expected: SkipReason) {
        var positions = Positions()
        #expect(positions.consider(report, at: start) == .skip(expected))
        #expect(positions.skipped == [expected: 1])
    }

    @Test("The first good fix is reported, its repeat within the epoch is not")
    func firstAndDuplicate() {
        var positions = Positions()
        #expect(reason(decide(&positions, report(), at: 0)) == .first)
        #expect(decide(&positions, report(), at: 0) == .skip(.duplicate))
        #expect(decide(&positions, report(at: -5), at: 0) == .skip(.duplicate))
    }

    @Test("Having moved counts from the larger of minimum distance and accuracy")
    func movement() {
        var positions = Positions(minDistance: 20)
        _ = decide(&positions, report(), at: 0)
        #expect(decide(&positions, report(north: 19, at: 1), at: 1) == .skip(.near))
        #expect(reason(decide(&positions, report(north: 21, at: 2), at: 2)) == .moved)
        #expect(decide(&positions, report(north: 60, at: 3, accuracy: 50), at: 3) == .skip(.near))
        #expect(reason(decide(&positions, report(north: 90, at: 4, accuracy: 50), at: 4)) == .moved)
    }

    @Test("The heartbeat reports a still machine, and 0 switches it off")
    func heartbeat() {
        var positions = Positions(heartbeat: 900)
        _ = decide(&positions, report(), at: 0)
        #expect(decide(&positions, report(at: 899), at: 899) == .skip(.near))
        #expect(reason(decide(&positions, report(at: 900), at: 900)) == .heartbeat)
        var silent = Positions(heartbeat: 0)
        _ = decide(&silent, report(), at: 0)
        #expect(decide(&silent, report(at: 90_000), at: 90_000) == .skip(.near))
    }

    @Test("Crossing a zone's border is reported though the distance is small")
    func zoneCrossing() throws {
        let center = try #require(Coordinate(latitude: 52, longitude: 4.9))
        var positions = Positions(minDistance: 1000)
        positions.policy.zones = ZoneMap([
            Zone(
                entityID: "zone.home", name: "Home", coordinate: center, radius: 100, passive: false
            )
        ])
        _ = decide(&positions, report(north: 90), at: 0)
        #expect(reason(decide(&positions, report(north: 120, at: 20), at: 20)) == .zoneCrossed)
        #expect(decide(&positions, report(north: 130, at: 40), at: 40) == .skip(.near))
        #expect(reason(decide(&positions, report(north: 90, at: 50), at: 50)) == .zoneCrossed)
        #expect(
            decide(&positions, report(north: 120, at: 55), at: 55) == .skip(.near),
            "a place on the border does not report each second")
    }

    @Test("A crossing is named as such among the reports of a fast drive")
    func crossingWhileMoving() throws {
        let center = try #require(Coordinate(latitude: 52, longitude: 4.9))
        var positions = Positions(minDistance: 20)
        positions.policy.zones = ZoneMap([
            Zone(
                entityID: "zone.home", name: "Home", coordinate: center, radius: 100, passive: false
            )
        ])
        let reasons = (0..<10).map { second in
            reason(
                decide(
                    &positions, report(north: Double(second) * 25, at: Double(second)),
                    at: Double(second)))
        }
        #expect(reasons.filter { $0 == .zoneCrossed }.count == 1, "\(reasons)")
    }

    @Test("What was asked for is reported, once")
    func requested() {
        var positions = Positions()
        _ = decide(&positions, report(), at: 0)
        positions.policy.request()
        #expect(reason(decide(&positions, report(at: 1), at: 1)) == .requested)
        #expect(decide(&positions, report(at: 2), at: 2) == .skip(.near))
    }

    @Test("A fix that could not be stored is made up for by the next")
    func notStored() {
        var positions = Positions()
        _ = decide(&positions, report(), at: 0)
        positions.policy.notStored()
        #expect(positions.skipped == [.notStored: 1])
        #expect(reason(decide(&positions, report(at: 1), at: 1)) == .requested)
    }

    @Test("A clock set back does not make every later fix a duplicate")
    func clockSetBack() {
        var positions = Positions()
        let ahead = Moment(uptime: 1, unixTime: start.unixTime + 100_000)
        _ = positions.consider(report(at: 100_000), at: ahead)
        let decision = positions.consider(
            report(north: 50), at: Moment(uptime: 30, unixTime: start.unixTime))
        #expect(reason(decision) == .moved)
    }

    @Test("A passive zone is no zone, and the nearest centre wins")
    func zoneChoice() throws {
        let place = try #require(Coordinate(latitude: 52, longitude: 4.9))
        let near = try #require(Coordinate(latitude: 52.0005, longitude: 4.9))
        func zone(_ id: String, _ at: Coordinate, _ radius: Double, passive: Bool = false) -> Zone {
            Zone(entityID: id, name: id, coordinate: at, radius: radius, passive: passive)
        }
        let map = ZoneMap([
            zone("big", near, 500), zone("passive", place, 500, passive: true),
            zone("small", near, 100),
        ])
        #expect(map.zone(at: place, accuracy: 5)?.entityID == "small")
        #expect(ZoneMap([zone("far", near, 10)]).zone(at: place, accuracy: 5) == nil)
        #expect(
            ZoneMap([zone("far", near, 10)]).zone(at: place, accuracy: 60)?.entityID == "far",
            "a coarse fix is in every zone it may be in, as Home Assistant has it")
    }
}
