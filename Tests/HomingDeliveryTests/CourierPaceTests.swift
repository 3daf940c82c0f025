import HomingBase
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingDelivery
@testable import HomingRoutes

/// Times at which the courier tries again after the whole route has failed.
@Suite struct CourierPaceTests {
    private let instance = SimulatedWorld.endpoints[0]

    @Test("410 is believed of an endpoint that proved itself, and then asked every six hours")
    func gone() {
        var world = SimulatedWorld.started(endpoints: 1)
        world.conditions = [.instance: .gone]
        world.accept()
        world.answerAll()
        #expect(world.courier.trouble?.problems[.instance] == .gone)
        #expect(world.courier.nextAttempt == world.now.uptime + 6 * 3600)
    }

    @Test(
        "A 410 beside an endpoint that cannot be reached does not make the courier rest for hours")
    func goneBesideNetwork() {
        for other in [SimulatedWorld.EndpointCondition.unreachable, .busy] {
            var world = SimulatedWorld.started()
            world.conditions = [.instance: .gone, .cloudhook: other, .remoteUI: .gone]
            world.accept()
            world.run(3600)
            let wait = (world.courier.nextAttempt ?? .infinity) - world.now.uptime
            #expect(wait <= 1200, "\(other): \(wait) s")
            world.conditions[.cloudhook] = .works
            world.run(1300)
            #expect(world.store.ledger(.location).queued == 0, "\(other)")
        }
    }

    @Test(
        "While each endpoint of the route answers and takes nothing, none is asked more than is fair",
        arguments: [
            SimulatedWorld.EndpointCondition.busy, .proxyError, .portal, .impostor,
        ], 1...3)
    func fair(condition: SimulatedWorld.EndpointCondition, endpoints: Int) {
        var world = SimulatedWorld.started(endpoints: endpoints)
        world.conditions = Dictionary(
            uniqueKeysWithValues: SimulatedWorld.endpoints.map { ($0.kind, condition) })
        world.accept()
        var hours: [Int] = []
        for _ in 1...24 {
            let before = world.asked
            world.run(3600)
            hours.append(world.asked - before)
        }
        #expect(hours.allSatisfy { (3...18).contains($0) }, "\(hours)")
    }

    @Test("A start of Home Assistant behind a proxy is met within 30 s in the first minute")
    func startBehindProxy() {
        for outage in 1...60 {
            var world = SimulatedWorld.started()
            world.conditions = [
                .instance: .proxyError, .cloudhook: .proxyError, .remoteUI: .proxyError,
            ]
            world.accept()
            world.run(Seconds(outage))
            world.conditions = [:]
            world.run(30)
            #expect(world.homeAssistant.live == [1], "an outage of \(outage) s")
        }
    }

    @Test("Once Home Assistant was reached by the push channel the courier does not rest on")
    func reachable() {
        var world = SimulatedWorld.started()
        world.conditions = [.instance: .portal, .cloudhook: .portal, .remoteUI: .portal]
        world.accept()
        world.run(3600)
        world.conditions = [:]
        world.tellCourier(.reachable)
        world.answerAll()
        #expect(world.store.ledger(.location).queued == 0)
    }

    @Test("Whoever asks now begins with what works, and spares what asked for peace")
    func directCalls() {
        var world = SimulatedWorld.started()
        #expect(
            world.courier.orderForDirectCalls(world.now).map(\.kind) == [
                .instance, .cloudhook, .remoteUI,
            ])
        world.conditions = [.instance: .unreachable, .cloudhook: .busy]
        world.accept()
        world.answerAll()
        #expect(world.courier.orderForDirectCalls(world.now).map(\.kind) == [.remoteUI, .instance])
    }

    @Test("Where all others answer as strangers, a 410 counts")
    func goneBesideStrangers() {
        var world = SimulatedWorld.started()
        world.conditions = [.instance: .gone, .cloudhook: .portal, .remoteUI: .impostor]
        world.accept()
        world.answerAll()
        #expect(world.courier.nextAttempt == world.now.uptime + 6 * 3600)
    }

    @Test("A stranger's 410 moves nothing")
    func strangersGone() {
        let stranger = Endpoint(kind: .instance, webhookURL: "http://10.0.0.1", isAuthentic: false)
        var world = SimulatedWorld(settings: Courier.Settings(), seed: 1)
        world.tellCourier(.route([stranger], networkChanged: true))
        world.underWay = nil
        world.tellCourier(.answer(.gone))
        guard case .foreign? = world.courier.trouble?.problems[.instance] else {
            Issue.record("believed: \(String(describing: world.courier.trouble))")
            return
        }
    }

    @Test("A refusal by authority is not tried again soon")
    func unauthorized() {
        var world = SimulatedWorld.started(endpoints: 1)
        world.accept()
        world.underWay = nil
        world.tellCourier(.answer(.failed(.unauthorized(status: 403))))
        let wait = (world.courier.nextAttempt ?? 0) - world.now.uptime
        #expect((600...900).contains(wait), "\(wait)")
    }

    @Test("A Home Assistant that asks for peace gets it")
    func retryAfter() {
        var world = SimulatedWorld.started(endpoints: 1)
        world.conditions = [.instance: .busy]
        world.accept()
        world.answerAll()
        world.conditions = [:]
        world.pass(29)
        #expect(world.homeAssistant.live.isEmpty)
        world.pass(400)
        world.answerAll()
        #expect(world.homeAssistant.live == [1])
    }

    @Test("On another network an outage counts from its first failure there", arguments: 0..<20)
    func anotherNetwork(seed: UInt64) {
        var world = SimulatedWorld.started(seed: seed)
        world.homeAssistant.condition = .down
        world.accept()
        world.run(7200)
        world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
        world.answerAll()
        let wait = (world.courier.nextAttempt ?? .infinity) - world.now.uptime
        #expect(wait <= 1, "\(wait) s after the first failure on this network")
        #expect(world.now.uptime - (world.courier.trouble?.since ?? 0) >= 7200)
    }

    @Test("What an endpoint said is forgotten when it is no longer on the route")
    func offTheRoute() {
        var world = SimulatedWorld.started()
        world.homeAssistant.condition = .down
        world.accept()
        world.answerAll()
        #expect(world.courier.trouble?.problems.count == 3)
        let moved = Endpoint(kind: .cloudhook, webhookURL: "https://new", isAuthentic: true)
        world.tellCourier(.route([instance, moved], networkChanged: false))
        #expect(
            world.courier.trouble?.problems.keys.sorted { $0.rawValue < $1.rawValue } == [.instance]
        )
        world.tellCourier(.route([], networkChanged: true))
        #expect(world.courier.trouble == nil)
    }

    @Test("An endpoint that comes onto the route is tried at once; a known endpoint is not")
    func newEndpoint() {
        var world = SimulatedWorld.started(endpoints: 1)
        world.conditions = [.instance: .impostor]
        world.accept()
        world.answerAll()
        let next = world.courier.nextAttempt
        #expect(next != nil && world.homeAssistant.live.isEmpty)
        world.tellCourier(.route([instance], networkChanged: false))
        #expect(world.courier.nextAttempt == next)
        world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: false))
        world.answerAll()
        #expect(world.homeAssistant.live == [1])
    }

    @Test("Another registration inherits nothing of what was said to the one before")
    func anotherRegistration() {
        var world = SimulatedWorld.started()
        world.conditions = [.instance: .impostor, .cloudhook: .impostor, .remoteUI: .impostor]
        world.accept()
        world.answerAll()
        #expect(world.courier.trouble != nil)
        world.conditions = [:]
        world.tellCourier(.registrationChanged)
        #expect(world.courier.trouble == nil && world.courier.health.isEmpty)
        world.tellCourier(.route([instance], networkChanged: true))
        let asked = world.answerAll()
        #expect(asked.first?.0 == .configuration)
        #expect(world.store.ledger(.location)[.deliveredLive] == 1)
    }

    @Test("Who needs a proof has a receipt asked at once")
    func prove() {
        var world = SimulatedWorld.started()
        for _ in 0..<2 {
            world.run(120)
            world.tellCourier(.prove)
            #expect(world.run(1).map(\.0) == [.receipt])
            #expect(
                world.courier.health[.instance]?.lastReceipt?.uptime ?? 0 >= world.now.uptime - 1)
            // Without a session it is the same.
            world.tellCourier(.route(world.courier.endpoints, networkChanged: true))
            world.run(120)
        }
    }

    @Test("While the route is failing nobody is hurried by it")
    func failing() {
        var world = SimulatedWorld.started(endpoints: 1)
        world.conditions[.instance] = .unreachable
        world.accept()
        world.run(10)
        world.tellCourier(.prove)
        #expect(world.answerAll().isEmpty && world.courier.nextAttempt != nil)
    }
}

/// Frequency of the questions to Home Assistant for its configuration and its zones.
@Suite struct ConfigurationPaceTests {
    /// Accepts a location each ten minutes, and counts the questions for the configuration.
    private static func questions(
        _ world: inout SimulatedWorld, hours: Int, each: (inout SimulatedWorld) -> Void = { _ in }
    ) -> Int {
        var count = 0
        for _ in 0..<hours * 6 {
            each(&world)
            world.accept()
            count += world.run(600).count { $0.0 == .configuration }
        }
        return count
    }

    @Test("A day in which nothing hints at a change needs one question")
    func quietDay() {
        var world = SimulatedWorld.started()
        #expect(Self.questions(&world, hours: 23) == 0)
        #expect(Self.questions(&world, hours: 2) == 1)
    }

    @Test("A reload has the question asked with the next receipt")
    func reload() {
        var world = SimulatedWorld.started()
        _ = Self.questions(&world, hours: 1)
        world.homeAssistant.reload(losing: 0)
        #expect(Self.questions(&world, hours: 1) == 1)
    }

    @Test("A failure has the question asked, once an hour at most")
    func failures() {
        var world = SimulatedWorld.started(endpoints: 1)
        let kind = SimulatedWorld.endpoints[0].kind
        let count = Self.questions(&world, hours: 10) { world in
            world.conditions[kind] = .unreachable
            world.accept()
            world.run(20)
            world.conditions[kind] = .works
        }
        #expect((5...10).contains(count), "\(count) questions in ten hours")
    }

    @Test("A zone that is not the one that Home Assistant shows has the question asked, once")
    func zone() throws {
        var world = SimulatedWorld(settings: Courier.Settings(), seed: 1)
        let centre = try #require(Coordinate(latitude: 50.01, longitude: 4))
        world.homeAssistant.zones = [
            Zone(
                entityID: "zone.work", name: "Work", coordinate: centre, radius: 5000,
                passive: false)
        ]
        world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
        _ = world.answerAll()
        // Deleted there: its tracker is in no zone any more.
        world.homeAssistant.zones = []
        #expect(Self.questions(&world, hours: 3) == 1)
        #expect(Self.questions(&world, hours: 3) == 0)
    }
}
