import HomingRoutes
import Testing

@testable import HomingAgent

/// What `systemctl status` says in its one line.
@Suite struct StatusLineTests {
    private let away = Way(
        place: .away,
        endpoints: [
            Endpoint(kind: .cloudhook, webhookURL: "https://hooks.example/a", isAuthentic: true),
            Endpoint(kind: .instance, webhookURL: "https://ha.example/a", isAuthentic: true),
        ], excluded: [:])

    @Test("It says the way, the queue and when something last arrived")
    func whole() {
        let line = StatusLine(way: away, queued: 12, deliveredAt: 1_795_271_159)
        #expect(line.text == "Away: cloudhook; 12 queued; last delivery 2026-11-21 14:25 UTC")
    }

    @Test("The endpoint in use is told, not the one that is tried first")
    func inUse() {
        #expect(
            StatusLine(way: away, endpoint: "instance URL").text == "Away: instance URL; 0 queued")
    }

    @Test("It says so if nothing gets through, and if nothing is known yet")
    func trouble() {
        let line = StatusLine(way: nil, isDelivering: false, queued: 3)
        #expect(line.text == "No way yet; 3 queued; not delivering")
    }

    @Test("Behind a portal nothing is sent")
    func portal() {
        let way = Way(place: .portal, endpoints: [], excluded: [:])
        #expect(StatusLine(way: way).text == "Away: nothing is sent; 0 queued")
    }

    @Test("Within a minute the line stays as it is")
    func minute() {
        var line = StatusLine(way: away, deliveredAt: 1_795_271_100)
        let first = line.text
        line.deliveredAt = 1_795_271_159.9
        #expect(line.text == first)
        line.deliveredAt = 1_795_271_160
        #expect(line.text != first)
    }
}
