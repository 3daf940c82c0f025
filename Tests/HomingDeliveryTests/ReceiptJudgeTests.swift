import Testing

@testable import HomingDelivery
@testable import HomingLocation

/// A zone reported by name, and what the tracker shows then.
@Suite struct ReceiptJudgeTests {
    private func finding(told name: String, shown state: String?) throws -> ReceiptJudge.Finding {
        let place = try #require(Coordinate(latitude: 52, longitude: 4))
        let zones = [("zone.home", "Rig Home"), ("zone.work", "Work")].map {
            Zone(entityID: $0, name: $1, coordinate: place, radius: 100, passive: false)
        }
        let message = LocationMessage(place: .zone(name: name, time: 0))
        let entry = OutboxEntry(
            id: EntryID(.location, 1), message: .location(message), acceptedAt: 0)
        return ReceiptJudge.judge(
            [SentItem(entries: [entry], fate: .deliveredLive)],
            Receipt(trackerExists: true, trackerState: state, place: nil), zones: zones)
    }

    @Test(
        "It arrived if the state is the name, or the name of the zone with that id",
        arguments: [
            ("home", "home"), ("work", "work"), ("work", "Work"), ("Work", "Work"),
            ("Home", "Rig Home"), ("Camp", "Camp"), ("not_home", "not_home"),
        ])
    func arrived(name: String, state: String) throws {
        #expect(try finding(told: name, shown: state) == .allArrived)
    }

    @Test(
        "It did not if the tracker shows another zone, or nothing",
        arguments: [
            ("Camp", "Work"), ("work", "home"), ("home", "unknown"), ("home", "Work"),
            ("Camp", nil),
        ] as [(String, String?)])
    func missing(name: String, state: String?) throws {
        #expect(try finding(told: name, shown: state) == .arrived(0))
    }

    @Test(
        "A place is the same with all its decimals and with the seven that are told, and no other is"
    )
    func decimals() throws {
        func isSame(_ left: Double, _ right: Double) throws -> Bool {
            let left = try #require(Coordinate(latitude: left, longitude: -left))
            let right = try #require(Coordinate(latitude: right, longitude: -right))
            return ReceiptJudge.same(left, right)
        }
        for place in [52.369243833, 52.36924385, 52.3692438499999, 3e-7, 89.99999995] {
            let told = (place * 1e7).rounded() / 1e7
            #expect(try isSame(place, told) && isSame(told, place), "\(place)")
            #expect(try isSame(place, place))
            #expect(try !isSame(place, told - 1e-7), "\(place)")
        }
    }
}
