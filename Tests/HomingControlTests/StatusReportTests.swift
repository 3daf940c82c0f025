import HomingJSON
import Testing

@testable import HomingControl

@Suite struct StatusReportTests {
    private static let whole = StatusReport(
        version: "1.2", processID: 1, uptime: 1,
        network: .init(connection: "hidden-ssid", connectivity: "full", metered: true),
        position: .init(
            gpsd: "watching", gpsdDetail: "hidden-gpsd", mode: 3, source: "gpsd", age: 2,
            accuracy: 17, place: .init(latitude: 52.987654, longitude: 4.987654)),
        skipped: ["accuracy": 5],
        warnings: [.init(code: "no_fix", text: "No fix", detail: "hidden-detail", hint: "look")],
        homes: [home, StatusReport.Home(name: "cabin", zone: "hidden-zone")])

    private static let home = StatusReport.Home(
        name: "home",
        registration: .init(
            deviceName: "van", encrypted: true, homeAssistantVersion: "hidden-version"),
        atHome: true, reason: "hidden-reason",
        endpoints: [
            .init(
                kind: "instance", host: "hidden-host", order: 1, current: true,
                excluded: "hidden-excluded", lastSuccess: 1, lastFailure: 1,
                problem: "hidden-problem")
        ], nextAttempt: 5, zone: "hidden-zone",
        queues: [
            .init(stream: "location", queued: 3, oldestAge: 9, accepted: 4, fates: ["expired": 1])
        ], skipped: ["near": 5], push: push,
        rejections: [.init(time: 1, what: "hidden-what", reason: "hidden-refusal")],
        warnings: [
            .init(code: "no_endpoint", text: "No way", detail: "hidden-detail", hint: "list it")
        ])

    private static var push: StatusReport.Push {
        var relay = StatusReport.Relay(state: "held")
        (relay.host, relay.problem) = ("hidden-relay", "hidden-reason")
        var front = StatusReport.Relay.Front()
        (front.host, front.fingerprint) = ("hidden-front", "hidden-key")
        relay.front = front
        var push = StatusReport.Push(state: "off", problem: "hidden-push")
        push.relay = relay
        return push
    }

    @Test("Strangers see that it works, and nothing of where, which network, and what was said")
    func forStrangers() throws {
        let all = ReportJSON.text(Self.whole)
        #expect(all.contains("hidden-ssid") && all.contains("987654"), "the search finds it")
        let seen = Self.whole.forStrangers()
        let json = ReportJSON.text(seen)
        #expect(!json.contains("hidden") && !json.contains("987654"))
        #expect(seen.homes[0].atHome == nil && seen.homes[0].endpoints.isEmpty)
        #expect(seen.restricted && !Self.whole.restricted)
        #expect(seen.homes.map(\.name) == ["home", "cabin"])
        #expect(seen.homes[0].queues == Self.home.queues)
        #expect(seen.homes[0].warnings.first?.hint == "list it")
        #expect(seen.warnings.first?.hint == "look")
    }

    @Test("A report survives the wire, whole or restricted")
    func roundTrip() throws {
        for report in [Self.whole, Self.whole.forStrangers()] {
            let data = try JSON.bytes(report)
            #expect(try JSON.decode(StatusReport.self, from: data) == report)
        }
    }
}
