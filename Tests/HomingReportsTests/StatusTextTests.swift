import HomingReports
import Testing

@testable import HomingControl
@testable import HomingLocation

@Suite struct StatusTextTests {
    private static func report(
        connection: String = "Wi-Fi Cafe", uptime: Double = 60, age: Double = 2,
        accuracy: Double = 5, nextAttempt: Double? = nil
    ) -> StatusReport {
        StatusReport(
            version: "1", processID: 1, uptime: uptime,
            network: .init(connection: connection, connectivity: "full", metered: false),
            position: .init(gpsd: "watching", mode: 3, age: age, accuracy: accuracy), skipped: [:],
            warnings: [],
            homes: [
                .init(name: "home", atHome: false, reason: "away", nextAttempt: nextAttempt)
            ])
    }

    @Test("The name of a network gives no orders to the terminal and begins no line")
    func controlCharacters() {
        let report = Self.report(connection: "Wi-Fi \u{1B}[2J\nRegistered   as yours\u{9B}")
        let text = StatusText(report: report, now: 0).text
        #expect(
            text.contains(
                "Wi-Fi \u{FFFD}[2J\u{FFFD}Registered   as yours\u{FFFD}, internet reachable\n"))
        let orders = text.unicodeScalars.filter {
            $0.properties.generalCategory == .control && $0 != "\n"
        }
        #expect(orders.isEmpty)
    }

    @Test("Numbers that no daemon sends are shown, too", arguments: [-1e300, 1e300, -1, 0])
    func absurdNumbers(number: Double) {
        let report = Self.report(uptime: number, age: number, accuracy: number)
        #expect(StatusText(report: report, now: -number).text.contains("Last fix"))
    }

    @Test("The next try is told in seconds, and as now within the second", arguments: [0, 0.9, -3])
    func nextTry(seconds: Double) {
        let soon = StatusText(report: Self.report(nextAttempt: seconds), now: 0).text
        #expect(soon.contains("next try now\n"))
        let later = StatusText(report: Self.report(nextAttempt: 12), now: 0).text
        #expect(later.contains("next try in 12 s\n"))
    }

    @Test("Fixes that were held, and doubts about the last one, have their lines")
    func doubts() {
        var report = Self.report()
        #expect(!StatusText(report: report, now: 0).text.contains("Held"))
        report.held = .init(waiting: 0, believed: 5, dropped: 2)
        report.position.timeSource = "time_of_day"
        report.position.frozen = 120
        #expect(
            StatusText(report: report, now: 0).text.contains(
                """
                Last fix       3D, ±5 m, 2 s old
                               the receiver sends no date: this machine's date counts
                               frozen: the receiver has repeated one location for 2 min
                Held           7 too far from the last fix to count at once: 5 believed, 2 dropped
                """))
    }

    @Test("The channel for notifications is told by what people want to know of it")
    func push() {
        var report = Self.report()
        report.homes[0].push = StatusReport.Push(
            state: "open", way: "remote_ui", openFor: 300, lastMessage: 95, lastConfirmed: 96,
            shown: 7, folded: 2, desktopProblem: "no bus")
        let text = StatusText(report: report, now: 100).text
        #expect(
            text.contains(
                """
                Notifications  connected by the remote UI for 5 min
                               last 5 s ago, confirmed 4 s ago; 7 shown, 2 folded
                               shown in the journal, not on a desktop: no bus

                """))
        report.homes[0].push = StatusReport.Push(state: "stopped", problem: "the token is refused")
        #expect(
            StatusText(report: report, now: 0).text
                .contains("Notifications  not connected: the token is refused\n"))
        report.homes[0].push = StatusReport.Push(state: "off", problem: "[push] mode is off")
        report.homes[0].push?.relay = StatusReport.Relay(state: "resting")
        #expect(StatusText(report: report, now: 0).text.contains("Notifications  off: [push]"))
        report.homes[0].push?.relay?.lastReached = 5
        let relayed = StatusText(report: report, now: 0).text
        #expect(relayed.contains("Notifications  by the relay only: [push] mode is off\n"))
        for (state, failing) in [("resting", 5.0), ("off", nil), ("waiting", 5)] {
            report.homes[0].push?.relay = StatusReport.Relay(state: state)
            report.homes[0].push?.relay?.lastReached = 5
            report.homes[0].push?.relay?.failingFor = failing
            #expect(StatusText(report: report, now: 0).text.contains("Notifications  off: [push]"))
        }
        report.homes[0].push?.relay = nil
        report.homes[0].push?.absence = "nobody is there"
        #expect(!StatusText(report: report, now: 0).text.contains("in the journal"))
        report.homes[0].push?.lastMessage = 1
        #expect(
            StatusText(report: report, now: 0).text.contains(
                "shown in the journal: nobody is there"))
        #expect(report.forStrangers().homes[0].push == nil)
    }

    @Test(
        "Positions that were skipped are told with the reason, in plain words",
        arguments: [
            ("near", "too close to the last report"), ("held", "too far off"),
            ("old", "too old"), ("future", "from the future"), ("inaccurate", "too inaccurate"),
            ("frozen", "unchanged for a minute"), ("no_time", "without a date"),
            ("no_fix", "without a fix"), ("no_place", "without a location"),
            ("not_stored", "not stored"),
            ("duplicate", "repeated"), ("unregistered", "while not registered"),
        ])
    func skipped(_ reason: String, _ words: String) {
        #expect(SkipReason(rawValue: reason) != nil)
        var report = Self.report()
        report.skipped = [reason: 646]
        let text = StatusText(report: report, now: 0).text
        #expect(text.contains("Skipped        646 \(words)\n"))
    }

    @Test("What was sent and waits for its receipt alone is not called waiting")
    func unconfirmed() {
        var report = Self.report()
        for (queued, unconfirmed, words) in [
            (3, nil, "location: 3 waiting, the oldest for 34 s\n"),
            (3, 3, "location: 0 waiting, 3 sent and not confirmed yet\n"),
            (5, 3, "location: 2 waiting, 3 sent and not confirmed yet\n"),
            (1, 3, "location: 0 waiting, 3 sent and not confirmed yet\n"),
        ] {
            report.homes[0].queues = [
                .init(
                    stream: "location", queued: queued, unconfirmed: unconfirmed, oldestAge: 34,
                    accepted: 9, fates: ["delivered_track": 2])
            ]
            let text = StatusText(report: report, now: 0).text
            #expect(text.contains("Queue          \(words)"), "\(text)")
            #expect(text.contains("9 accepted: 2 delivered as history\n"))
        }
    }

    @Test("Several queues have one label")
    func queues() {
        var report = Self.report()
        report.homes[0].queues = ["location", "sensors"].map {
            .init(
                stream: $0, queued: 0, unconfirmed: nil, oldestAge: nil, accepted: 9, fates: [:])
        }
        let text = StatusText(report: report, now: 0).text
        #expect(text.split(separator: "\n").count { $0.hasPrefix("Queue") } == 1)
        #expect(text.contains("\n               sensors: 0 waiting\n"), "\(text)")
    }

    @Test("A status without a location says so, unless it is hidden from this user")
    func unknownLocation() {
        let unknown = "Location       unknown: no usable fix, and no network is a known place\n"
        var report = Self.report()
        #expect(!StatusText(report: report, now: 0).text.contains(unknown))
        report.position.age = nil
        #expect(StatusText(report: report, now: 0).text.contains(unknown))
        var cabin = report.homes[0]
        cabin.name = "cabin"
        let several = StatusReport(
            version: "1", processID: 1, uptime: 60, network: report.network,
            position: report.position, skipped: [:], warnings: [], homes: [report.homes[0], cabin])
        let lines = StatusText(report: several, now: 0).text.split(separator: "\n")
        #expect(lines.count { unknown.hasPrefix($0) } == 2)
        report.homes[0].locationSource = "place"
        #expect(!StatusText(report: report, now: 0).text.contains("unknown"))
        report.homes[0].locationSource = nil
        report.homes[0].sentZone = "Work"
        let sent = StatusText(report: report, now: 0).text
        #expect(sent.contains("Location       Work, by homing send-location\n"))
        #expect(!sent.contains("unknown"))
        #expect(report.forStrangers().homes[0].sentZone == nil)
        report.homes[0].locationTell = "never"
        #expect(StatusText(report: report, now: 0).text.contains("Location       not reported\n"))
        report.homes[0].locationTell = nil
        report.homes[0].sentZone = nil
        report.restricted = true
        #expect(!StatusText(report: report, now: 0).text.contains("unknown"))
    }

    @Test("The hints of the only home name no home")
    func onlyHome() {
        var report = Self.report()
        report.homes[0].warnings = [
            .init(code: "gone", text: "Gone", hint: "run: homing register --again")
        ]
        #expect(StatusText(report: report, now: 0).text.contains("→ run: homing register --again"))
    }

    @Test("Several homes have a block each, after what is said of the machine")
    func homes() {
        var report = Self.report()
        report.skipped = ["inaccurate": 2, "not_stored": 1]
        report.warnings = [.init(code: "no_fix", text: "No fix", detail: nil, hint: "look")]
        report.homes = [
            .init(
                name: "home",
                registration: .init(
                    deviceName: "van", encrypted: true, homeAssistantVersion: "2026.11.0"),
                atHome: true, reason: "at home", zone: "Home", skipped: ["near": 7],
                warnings: [.init(code: "tls", text: "TLS", detail: nil, hint: "run: homing x")]),
            .init(name: "cabin", reason: "away from home"),
        ]
        #expect(
            StatusText(report: report, now: 0).text == """
                Daemon         homingd 1, up 60 s
                Network        Wi-Fi Cafe, internet reachable
                GPS            watching
                Last fix       3D, ±5 m, 2 s old
                Skipped        2 too inaccurate, 1 not stored
                Warning        No fix
                               → look

                Home           home
                Registration   van, encrypted, Home Assistant 2026.11.0
                               at home
                Zone           Home
                Skipped        7 too close to the last report
                Warning        TLS
                               → run: homing x --home home

                Home           cabin
                Registration   none
                               away from home

                """)
    }
}
