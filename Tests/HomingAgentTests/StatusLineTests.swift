import Testing

@testable import HomingAgent
@testable import HomingDelivery
@testable import HomingRoutes

/// Text of the one line that `systemctl status` shows.
@Suite struct StatusLineTests {
    private let away = Route(
        place: .away,
        endpoints: [
            Endpoint(kind: .cloudhook, webhookURL: "https://hooks.example/a", isAuthentic: true),
            Endpoint(kind: .instance, webhookURL: "https://ha.example/a", isAuthentic: true),
        ], excluded: [:])

    @Test("It says the route, the queue and when something last arrived")
    func whole() {
        let delivery = DeliveryState(route: away, deliveredAt: 1_795_271_159)
        #expect(
            StatusLine.text(delivery, waiting: 12)
                == "Away: cloudhook; 12 waiting; last delivery 2026-11-21 14:25 UTC")
    }

    @Test("The endpoint in use is told, not the one that is tried first")
    func inUse() {
        let delivery = DeliveryState(route: away, current: .instance)
        #expect(StatusLine.text(delivery, waiting: 0) == "Away: instance URL; 0 waiting")
    }

    @Test("It says so if nothing gets through, and if nothing is known yet")
    func trouble() {
        let delivery = DeliveryState(trouble: Courier.Trouble(since: 0, problems: [:]))
        #expect(StatusLine.text(delivery, waiting: 3) == "No route yet; 3 waiting; not delivering")
    }

    @Test("Behind a portal nothing is sent")
    func portal() {
        let route = Route(place: .portal, endpoints: [], excluded: [:])
        let delivery = DeliveryState(route: route)
        #expect(StatusLine.text(delivery, waiting: 0) == "Away: nothing is sent; 0 waiting")
    }

    @Test("Within a minute the line stays as it is")
    func minute() {
        var delivery = DeliveryState(route: away, deliveredAt: 1_795_271_100)
        let first = StatusLine.text(delivery, waiting: 0)
        delivery.deliveredAt = 1_795_271_159.9
        #expect(StatusLine.text(delivery, waiting: 0) == first)
        delivery.deliveredAt = 1_795_271_160
        #expect(StatusLine.text(delivery, waiting: 0) != first)
    }

    @Test(
        "A line in which only numbers differ is told a minute after the one before, any other at once"
    )
    func telling() {
        var telling = StatusLinePolicy()
        #expect(
            telling.considerStatusLine("Away: cloudhook; 3 waiting", at: 5)
                == .tell("Away: cloudhook; 3 waiting"))
        #expect(telling.considerStatusLine("Away: cloudhook; 3 waiting", at: 10) == .same)
        #expect(telling.considerStatusLine("Away: cloudhook; 21 waiting", at: 64) == .wait)
        #expect(telling.considerStatusLine("Away: cloudhook; 3 waiting", at: 64) == .same)
        #expect(
            telling.considerStatusLine("Away: cloudhook; 22 waiting", at: 65)
                == .tell("Away: cloudhook; 22 waiting"))
        #expect(
            telling.considerStatusLine("At home: cloudhook; 22 waiting", at: 66)
                == .tell("At home: cloudhook; 22 waiting"))
        #expect(telling.considerStatusLine("At home: cloudhook; 0 waiting", at: 125.9) == .wait)
        #expect(
            telling.considerStatusLine("At home: cloudhook; 0 waiting", at: 126)
                == .tell("At home: cloudhook; 0 waiting"))
    }
}
