import HomingBase
import HomingMachine
import Testing

@Suite("Data that was used")
struct DataUseTests {
    static func time(_ year: Int, _ month: Int, _ day: Int = 1) -> CalendarTime {
        CalendarTime(year: year, month: month, day: day, secondOfDay: 0)
    }

    static func network(_ primary: PrimaryConnection?, metered: Bool = false) -> NetworkState {
        .known(.init(primary: primary, connectivity: .full, metered: metered))
    }

    @Test("Bytes are counted by kind of network, and those of metered networks once more")
    func kinds() {
        let now = Self.time(2026, 11)
        var use = DataUse(at: now)
        use.add(1, on: Self.network(.wifi(ssid: "a", bssid: nil)))
        use.add(20, on: Self.network(.wifi(ssid: "b", bssid: nil), metered: true))
        use.add(
            300, on: Self.network(.other(type: "gsm", id: "", uuid: ""), metered: true))
        use.add(4000, on: Self.network(.wired(id: "", uuid: "")))
        use.add(50_000, on: Self.network(.other(type: "bridge", id: "", uuid: "")))
        use.add(600_000, on: Self.network(.other(type: "vpn", id: "", uuid: "")))
        use.add(7_000_000, on: nil)
        use.add(-5, on: nil)
        #expect(use.used(by: .wifi) == 21)
        #expect(use.used(by: .mobile) == 300)
        #expect(use.used(by: .cable) == 54_000)
        #expect(use.used(by: .other) == 7_600_000)
        #expect(use.total == 7_654_321)
        #expect(use.metered == 320)
    }

    @Test(
        "A month begins at nothing; a clock that is set back begins no month unless it is certain")
    func months() {
        var use = DataUse(at: Self.time(2026, 11))
        use.add(5, on: nil)
        use.turn(to: Self.time(2026, 11, 30), isCertain: false)
        #expect(use.total == 5)
        use.turn(to: Self.time(1970, 1), isCertain: false)
        use.add(7, on: nil)
        #expect(use.total == 12 && use.monthText == "2026-11")
        use.turn(to: Self.time(2026, 12), isCertain: false)
        use.add(3, on: nil)
        #expect(use.total == 3 && use.monthText == "2026-12")
        // The clock was ahead for a while.
        use.turn(to: Self.time(2036, 1), isCertain: false)
        use.turn(to: Self.time(2026, 12), isCertain: false)
        #expect(use.total == 0 && use.monthText == "2036-01")
        use.turn(to: Self.time(2026, 12), isCertain: true)
        #expect(use.total == 0 && use.monthText == "2026-12")
    }

    @Test(
        "What a file may hold is no month", arguments: [(2026, 0), (2026, 13), (0, 1), (99_999, 1)])
    func unsound(_ year: Int, _ month: Int) {
        #expect(!DataUse(at: Self.time(year, month)).isSound)
        #expect(DataUse(at: Self.time(2026, 12)).isSound)
    }

    @Test("A time zone to the west at the turn of the month begins no month again")
    func west() {
        var use = DataUse(at: Self.time(2027, 1))
        use.add(5, on: nil)
        use.turn(to: Self.time(2026, 12, 31), isCertain: true)
        #expect(use.total == 5)
        #expect(use.monthText == "2027-01")
        use.turn(to: Self.time(2026, 12, 29), isCertain: true)
        #expect(use.total == 0)
        #expect(use.monthText == "2026-12")
    }

    @Test("Numbers as large as can be end nothing")
    func large() {
        var use = DataUse(at: Self.time(2026, 11))
        for kind in [nil, Self.network(.wired(id: "", uuid: ""), metered: true)] {
            use.add(.max, on: kind)
            use.add(.max, on: kind)
        }
        #expect(use.total == .max)
        #expect(use.metered == .max)
    }
}
