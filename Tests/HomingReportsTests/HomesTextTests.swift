import HomingControl
import HomingReports
import Testing

@Suite struct HomesTextTests {
    @Test("Each home has a line; a home that cannot be opened says why")
    func lines() {
        let report = HomesReport(
            homes: [
                .init(name: "home", deviceName: "van", host: "ha.local", queued: 3),
                .init(name: "hut", deviceName: nil, host: nil, queued: 0),
            ], failed: [.init(name: "cabin", reason: "no\u{1B}rights, run: homing register")])
        #expect(
            report.text == """
                home   as van at ha.local, 3 waiting
                hut    not registered, 0 waiting
                cabin  cannot be opened: no\u{FFFD}rights, run: homing --home cabin register

                """)
    }
}
