import HomingDelivery
import HomingRoutes
import HomingTestKit
import Testing

@Suite struct CourierSensorTests {
    private func requests(_ asked: [(Request, Endpoint.Kind)]) -> [String] {
        asked.map { request, _ in
            switch request {
            case .sensors(let entries): "update \(entries.count)"
            case .registerSensor: "register"
            case .receipt, .shortReceipt: "receipt"
            default: "other"
            }
        }
    }

    @Test("A sensor is registered once, told its state after that, and then only updated")
    func life() {
        var world = SimulatedWorld.started()
        world.acceptSensor("a")
        #expect(requests(world.answerAll()) == ["update 1", "register", "update 1"])
        world.acceptSensor("a")
        #expect(requests(world.answerAll()) == ["update 1"])
        #expect(world.homeAssistant.sensors.shown["a"] == "state 2")
        #expect(world.store.ledger(.sensors)[.deliveredLive] == 2)
        #expect(world.violations.isEmpty)
    }

    @Test("Several sensors travel in one update; those that are not registered are, one by one")
    func batch() {
        var world = SimulatedWorld.started(endpoints: 1)
        world.homeAssistant.condition = .down
        for id in ["a", "b", "c"] { world.acceptSensor(id) }
        world.answerAll()
        world.homeAssistant.condition = .running
        let asked = requests(world.run(120)).filter { $0.hasPrefix("update") || $0 == "register" }
        #expect(asked == ["update 3", "register", "register", "register", "update 3"])
        #expect(world.store.ledger(.sensors).queued == 0)
    }

    @Test("A newer state takes the place of one that waits")
    func superseded() {
        var world = SimulatedWorld.started(endpoints: 1)
        world.homeAssistant.condition = .down
        for _ in 0..<3 { world.acceptSensor("a") }
        world.answerAll()
        world.homeAssistant.condition = .running
        world.run(120)
        #expect(world.homeAssistant.sensors.shown["a"] == "state 3")
        #expect(world.store.ledger(.sensors)[.superseded] == 2)
    }

    @Test("The state of a sensor that this machine has no more is dropped, not called refused")
    func unknownHere() {
        var world = SimulatedWorld.started(endpoints: 1)
        world.acceptSensor("a")
        while let request = world.underWay?.request {
            guard case .registerSensor = request else {
                world.answer()
                continue
            }
            world.underWay = nil
            world.tellCourier(.answer(.sensorUnknownHere))
        }
        let ledger = world.store.ledger(.sensors)
        #expect(ledger[.superseded] == 1 && ledger.queued == 0 && ledger[.rejected] == 0)
    }

    @Test("A disabled sensor is told, and its state counts as delivered")
    func disabled() {
        var world = SimulatedWorld.started()
        world.homeAssistant.sensors.disabled = ["a"]
        world.acceptSensor("a")
        world.answerAll()
        #expect(world.noticedDisabled == ["a"])
        #expect(world.store.ledger(.sensors).queued == 0)
    }

    @Test("One that is wrong is rejected with Home Assistant's words, the others arrive")
    func invalid() {
        var world = SimulatedWorld.started()
        for id in ["a", "b"] { world.acceptSensor(id) }
        world.answerAll()
        world.homeAssistant.sensors.invalid = ["a"]
        for id in ["a", "b"] { world.acceptSensor(id) }
        world.answerAll()
        #expect(world.store.ledger(.sensors)[.rejected] == 1)
        #expect(world.homeAssistant.sensors.shown["b"] == "state 4")
    }

    @Test(
        "One whose registration does not take, or of which nothing is said, is rejected in the end")
    func never() {
        var world = SimulatedWorld.started()
        world.homeAssistant.sensors.forgets = ["a"]
        world.homeAssistant.sensors.silent = ["b"]
        for id in ["a", "b", "c"] { world.acceptSensor(id) }
        world.run(3600)
        #expect(world.store.ledger(.sensors)[.rejected] == 2)
        #expect(world.homeAssistant.sensors.shown["c"] == "state 3")
        #expect(world.violations.isEmpty)
    }

    @Test("An update refused as a whole is halved, down to the one that is at fault")
    func voided() {
        var world = SimulatedWorld.started()
        for id in ["a", "b", "c", "d"] { world.acceptSensor(id) }
        world.answerAll()
        world.homeAssistant.sensors.voids = ["c"]
        world.homeAssistant.condition = .down
        for id in ["a", "b", "c", "d"] { world.acceptSensor(id) }
        world.answerAll()
        world.homeAssistant.condition = .running
        world.run(3600)
        let sensors = world.store.ledger(.sensors)
        #expect(sensors.queued == 0 && sensors[.rejected] == 1)
        #expect(
            ["a", "b", "d"].allSatisfy {
                world.homeAssistant.sensors.shown[$0] == world.lastItem[$0]
            })
        #expect(world.violations.isEmpty)
    }
}
