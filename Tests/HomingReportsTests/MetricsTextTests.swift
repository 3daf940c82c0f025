import HomingDelivery
import HomingHealth
import HomingMachine
import HomingReports
import Testing

@testable import HomingControl
@testable import HomingLocation

/// Metrics that Prometheus is told. `Tests/EndToEnd/test_metrics.py` has promtool read them.
@Suite struct MetricsTextTests {
    private static let now = 10_000.0

    private static func report(_ homes: [StatusReport.Home] = []) -> StatusReport {
        StatusReport(
            version: "1.2", processID: 1, uptime: 60.5,
            network: .init(connection: "Wi-Fi Cafe", connectivity: "full", metered: true),
            position: .init(gpsd: "watching", receivers: 1, mode: 3, age: 2, accuracy: 5),
            skipped: ["old": 3], warnings: [], homes: homes)
    }

    /// A home with what a daemon on a drive has.
    private static func home(_ name: String = "home") -> StatusReport.Home {
        StatusReport.Home(
            name: name,
            registration: .init(deviceName: "Van", encrypted: true, homeAssistantVersion: "2026.1"),
            endpoints: [
                endpoint("cloudhook", lastSuccess: 9_000), endpoint("instance", lastSuccess: 9_900),
            ],
            queues: [
                .init(
                    stream: "location", queued: 2, oldestAge: 30, accepted: 9,
                    fates: ["delivered_live": 6, "expired": 1])
            ],
            skipped: ["near": 7], push: .init(state: "open", shown: 4, folded: 1))
    }

    private static func endpoint(_ kind: String, lastSuccess: Double?) -> StatusReport.Endpoint {
        .init(
            kind: kind, host: "ha.local", order: 1, current: true, excluded: nil,
            lastSuccess: lastSuccess, lastFailure: nil, problem: nil)
    }

    private static func lines(_ report: StatusReport?) -> [String] {
        MetricsText(report: report, now: now).text.split(separator: "\n").map(String.init)
    }

    /// The lines with a value.
    private static func series(_ report: StatusReport?) -> [String] {
        lines(report).filter { !$0.hasPrefix("#") }
    }

    @Test("Without a daemon it is away, and nothing else is known")
    func away() {
        #expect(
            MetricsText(report: nil, now: 0).text == """
                # HELP homing_up 1 if the daemon answers.
                # TYPE homing_up gauge
                homing_up 0

                """)
    }

    @Test("A machine and its home have a line for each fact")
    func facts() {
        var report = Self.report([Self.home()])
        report.data = .init(
            month: "2026-11", bytes: ["wifi": 5, "mobile": 7], total: 12, metered: 7, budget: 50)
        report.held = .init(waiting: 1, believed: 2, dropped: 0)
        report.thrift = "the network is metered"
        report.position.frozen = 90
        #expect(
            Self.series(report) == [
                "homing_up 1", "homing_build_info{version=\"1.2\"} 1", "homing_uptime_seconds 60.5",
                "homing_network_metered 1", "homing_gpsd_receivers 1",
                "homing_position_age_seconds 2", "homing_position_accuracy_meters 5",
                "homing_position_frozen_seconds 90", "homing_fixes_skipped_total{reason=\"old\"} 3",
                "homing_fixes_held_total 3", "homing_data_saving 1",
                "homing_data_month_bytes{network=\"mobile\"} 7",
                "homing_data_month_bytes{network=\"wifi\"} 5", "homing_data_month_metered_bytes 7",
                "homing_data_month_budget_bytes 50", "homing_registered{home=\"home\"} 1",
                "homing_encrypted{home=\"home\"} 1", "homing_route_failing{home=\"home\"} 0",
                "homing_last_delivery_age_seconds{home=\"home\"} 100",
                "homing_positions_skipped_total{home=\"home\",reason=\"near\"} 7",
                "homing_queue_length{home=\"home\",stream=\"location\"} 2",
                "homing_queue_oldest_age_seconds{home=\"home\",stream=\"location\"} 30",
                "homing_queue_accepted_total{home=\"home\",stream=\"location\"} 9",
                "homing_queue_settled_total{home=\"home\",stream=\"location\",fate=\"delivered_live\"} 6",
                "homing_queue_settled_total{home=\"home\",stream=\"location\",fate=\"expired\"} 1",
                "homing_power_cuts_total{home=\"home\"} 0",
                "homing_push_connected{home=\"home\"} 1",
                "homing_notifications_total{home=\"home\",outcome=\"duplicate\"} 0",
                "homing_notifications_total{home=\"home\",outcome=\"folded\"} 1",
                "homing_notifications_total{home=\"home\",outcome=\"shown\"} 4",
            ])
    }

    @Test("A warning is one line, however often it is there, and says whose it is")
    func warnings() {
        var report = Self.report([Self.home(), Self.home("cabin")])
        report.warnings = [.init(.noFix, detail: nil)]
        report.homes[1].warnings = [
            .init(.noEndpoint, detail: "no route"), .init(.noEndpoint, detail: "no name"),
        ]
        #expect(
            Self.series(report).filter { $0.hasPrefix("homing_warning") } == [
                "homing_warning{warning=\"no_fix\",severity=\"warning\"} 1",
                "homing_warning{home=\"cabin\",warning=\"no_endpoint\",severity=\"error\"} 1",
            ])
    }

    @Test("What is not known, not meant or not yet so has no line")
    func unknown() {
        var report = Self.report([.init(name: "home")])
        report.position = .init(gpsd: "disconnected")
        let series = Self.series(report)
        #expect(series.contains("homing_registered{home=\"home\"} 0"))
        for name in ["position", "gpsd", "sealed", "last_delivery", "push", "data_month"] {
            #expect(!series.contains { $0.hasPrefix("homing_\(name)") })
        }
        report.homes[0].push = .init(state: "off")
        #expect(!Self.series(report).contains { $0.hasPrefix("homing_push_connected") })
        report.homes[0].push = .init(state: "waiting")
        #expect(Self.series(report).contains("homing_push_connected{home=\"home\"} 0"))
    }

    @Test("A relay that fails says for how long")
    func relay() {
        var report = Self.report([Self.home()])
        var relay = StatusReport.Relay(state: "waiting")
        (relay.failingFor, relay.messages, relay.refused, relay.dropped) = (120, 5, 1, 2)
        relay.clockOffset = -3
        report.homes[0].push?.relay = relay
        #expect(
            Self.series(report).filter { $0.hasPrefix("homing_push_relay") } == [
                "homing_push_relay_failing_seconds{home=\"home\"} 120",
                "homing_push_relay_clock_offset_seconds{home=\"home\"} -3",
                "homing_push_relay_messages_total{home=\"home\"} 5",
                "homing_push_relay_refused_total{home=\"home\"} 1",
                "homing_push_relay_dropped_total{home=\"home\"} 2",
            ])
    }

    @Test("A clock that was set back makes no delivery of the future")
    func clock() {
        var report = Self.report([Self.home()])
        report.homes[0].endpoints = [Self.endpoint("instance", lastSuccess: Self.now + 500)]
        #expect(Self.series(report).contains("homing_last_delivery_age_seconds{home=\"home\"} 0"))
    }

    @Test("It tells no place, network, name of a device, host or version of Home Assistant")
    func nothingPrivate() {
        var report = Self.report([Self.home()])
        report.position.place = .init(latitude: 52.25, longitude: 4.75)
        report.homes[0].reason = "at SecretNet"
        report.homes[0].zone = "Work"
        report.homes[0].warnings = [.init(.noEndpoint, detail: "ha.local: no route")]
        report.homes[0].rejections = [.init(time: 1, what: "sensor secret", reason: "no")]
        let text = MetricsText(report: report, now: Self.now).text
        for word in [
            "52.25", "4.75", "Cafe", "Secret", "secret", "Work", "ha.local", "Van", "2026.1",
        ] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test("Each family has a help and a kind, and a counter a name that ends in _total")
    func conventions() {
        let lines = Self.lines(Self.full)
        var kinds: [Substring: Substring] = [:]
        for words in lines.map({ $0.split(separator: " ", maxSplits: 3) }) where words[1] == "TYPE"
        {
            #expect(kinds.updateValue(words[3], forKey: words[2]) == nil, "each family comes once")
            #expect((words[3] == "counter") == words[2].hasSuffix("_total"), "\(words[2])")
            #expect(lines.contains { $0.hasPrefix("# HELP \(words[2]) ") && $0.hasSuffix(".") })
        }
        #expect(kinds.count > 25)
        for line in lines where !line.hasPrefix("#") {
            #expect(kinds[line.prefix { $0 != "{" && $0 != " " }] != nil, "\(line)")
        }
    }

    @Test("A home that has everything has a bounded number of series")
    func bound() {
        let one = Self.series(Self.full).count
        var two = Self.full
        two.homes.append(two.homes[0])
        two.homes[1].name = "cabin"
        let more = Self.series(two).count - one
        #expect(one < 200 && more < 150, "\(one), \(more)")
    }

    /// All words that a daemon knows, at once.
    private static var full: StatusReport {
        var home = Self.home()
        let fates = Fate.allCases.map { ($0.rawValue, 1) }
        home.queues = HomingDelivery.Stream.allCases.map {
            .init(
                stream: $0.name, queued: 1, oldestAge: 1, accepted: 9,
                fates: Dictionary(uniqueKeysWithValues: fates))
        }
        let reasons = Dictionary(uniqueKeysWithValues: SkipReason.allCases.map { ($0.rawValue, 1) })
        home.skipped = reasons
        home.push?.relay = StatusReport.Relay(state: "held")
        home.push?.relay?.clockOffset = 1
        home.warnings = Warnable.all.filter { $0.subject == .home }.map { .init($0, detail: nil) }
        var report = Self.report([home])
        report.skipped = reasons
        let bytes = DataUse.Kind.allCases.map { ($0.rawValue, 1) }
        report.data = .init(
            month: "2026-11", bytes: Dictionary(uniqueKeysWithValues: bytes), total: 4, metered: 1,
            budget: 9)
        report.warnings = Warnable.all.filter { $0.subject == .machine }
            .map { .init($0, detail: nil) }
        return report
    }
}
