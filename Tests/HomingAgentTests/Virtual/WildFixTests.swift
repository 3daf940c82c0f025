import HomingDelivery
import HomingLocation
import HomingMachine
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Fixes that are kilometres off: the whole agent on a virtual clock.
@Suite(.serialized) struct WildFixTests {
    init() { LoopThread.start() }

    /// Gives the machine one fix a second at this place, for so many seconds.
    @LoopActor private func stand(
        _ flight: VirtualAgent, for seconds: Int, off distance: Double = 0, speed: Double? = 0
    ) {
        for _ in 0..<seconds {
            flight.agent.machine.observe(flight.fix(off: distance, speed: speed))
            flight.clock.pass(1)
        }
    }

    @Test("Wild fixes at rest and on the way are not accepted, counted, and shown to nobody")
    @LoopActor func wildFixes() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        let receiver = { flight.agent.machine.state.receiver }
        stand(flight, for: 30)
        let accepted = try flight.positions().accepted
        let place = receiver().lastFix?.fix.coordinate
        for burst in 1...3 {
            stand(flight, for: burst, off: 5000)
            #expect(receiver().lastFix?.fix.coordinate == place, "what the status shows")
            #expect(receiver().held.waiting == burst)
            stand(flight, for: 2)
        }
        #expect(try flight.positions().accepted == accepted)
        #expect(receiver().skipped[.held] == 6)
        flight.clock.pass(10)
        flight.drive(for: 100, every: 10)
        for burst in 1...3 {
            for _ in 0..<burst {
                flight.agent.machine.observe(flight.fix(off: 5000, speed: 100))
                flight.clock.pass(1)
                flight.carry(100)
            }
            flight.drive(for: 5, every: 1)
        }
        #expect(receiver().held.dropped == 12 && receiver().held.total == 12)
        #expect(try flight.positions().accepted == accepted + 10 + 15)
        #expect(try flight.drain(within: 300) != nil)
        #expect(try flight.violations() == [])
    }

    @Test("A wild fix while the receiver rests opens the watch, and closes it again")
    @LoopActor func watch() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        let receiver = { flight.agent.machine.state.receiver }
        stand(flight, for: 70)
        #expect(receiver().isStill)
        flight.clock.pass(130)
        let before = flight.observer.watched
        stand(flight, for: 1, off: 5000, speed: nil)
        #expect(flight.observer.watched == before + 1)
        stand(flight, for: 1)
        #expect(receiver().knowsStill)
        #expect(receiver().held.dropped == 1)
    }

    @Test("A ferry of 40 km in an hour without a fix is accepted at once")
    @LoopActor func ferry() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        stand(flight, for: 90)
        let accepted = try flight.positions().accepted
        flight.carry(40_000)
        flight.clock.pass(3600)
        stand(flight, for: 1)
        #expect(try flight.positions().accepted == accepted + 1)
        #expect(flight.agent.machine.state.receiver.held.total == 0)
    }

    @Test("A machine that slept and is 400 km further is at Home Assistant within ten seconds")
    @LoopActor func sleep() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.drive(for: 60)
        stand(flight, for: 120)
        _ = try #require(try flight.drain(within: 160))
        let accepted = try flight.positions().accepted
        flight.agent.machine.observe(.sleep(.preparing))
        flight.clock.sleep(3 * 3600)
        flight.carry(400_000)
        flight.agent.machine.observe(.sleep(.awake))
        flight.clock.pass(2)
        let awake = flight.clock.now().uptime
        while try flight.positions().accepted == accepted, flight.clock.now().uptime - awake < 60 {
            stand(flight, for: 1)
        }
        flight.clock.pass(1)
        let delay = flight.clock.now().uptime - awake
        #expect(delay <= 8, "\(delay) s after the first fix")
        #expect(flight.home.homeAssistant.live.last == Int64(accepted + 1))
        #expect(flight.agent.machine.state.receiver.held.believed == 5)
    }
}
