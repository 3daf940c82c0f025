import HomingControl
import HomingReports
import Testing

@Suite struct HomesTextTests {
    @Test("Each home has a line; a home that cannot be opened says why")
    func lines() {
        let report = HomesReport(
            homes: [
                .init(
                    name: "home", deviceName: "van", url: "http://ha.local:8123", queued: 5,
                    unconfirmed: 2),
                .init(name: "hut", deviceName: nil, url: nil, queued: 0, unconfirmed: 0),
                .init(name: "old", deviceName: nil, url: nil, queued: 4),
            ], failed: [.init(name: "cabin", reason: "no\u{1B}rights, run: homing register")],
            first: "home")
        #expect(
            report.text() == """
                home   as van at http://ha.local:8123, 3 waiting, 2 sent and not confirmed yet, first home
                hut    not registered, 0 waiting
                old    not registered, 4 queued
                cabin  cannot be opened: no\u{FFFD}rights, run: homing register --home cabin

                """)
    }
}
