import HomeAssistantAPI
import HomingConfiguration
import HomingControl
import HomingDelivery
import HomingMachine
import HomingRegistration
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Locations before the first registration and after the last: the whole agent on a virtual clock.
@Suite(.serialized) struct UnregisteredFlightTests {
    init() { LoopThread.start() }

    /// A machine that has no registration, and is not paired yet.
    @LoopActor private func start(
        _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> (flight: VirtualAgent, registration: Registration) {
        let flight = try VirtualAgent(change: change)
        let registration = try #require(flight.agent.home.keeper.registration)
        flight.agent.home.adopt(nil)
        return (flight, registration)
    }

    @Test(
        "Without a registration no location is kept, and the next one is reported at once after the pairing"
    )
    @LoopActor func nothingIsKept() throws {
        let (flight, registration) = try start()
        defer { flight.stop() }
        flight.drive(for: 900)
        #expect(try flight.positions().accepted == 0)
        #expect(flight.agent.status().homes.first?.skipped["unregistered"] == 30)
        flight.agent.home.adopt(registration)
        flight.drive()
        #expect(try flight.positions().accepted == 1)
        flight.clock.pass(30)
        #expect(flight.home.homeAssistant.live.count == 1)
    }

    @Test("A machine that has not moved since is reported again right after another pairing")
    @LoopActor func standingStill() throws {
        let (flight, registration) = try start()
        defer { flight.stop() }
        flight.agent.home.adopt(registration)
        flight.agent.machine.observe(flight.fix())
        #expect(try flight.positions().accepted == 1)
        flight.agent.home.adopt(nil)
        flight.stand(for: 3600) {}
        #expect(try flight.positions().accepted == 1)
        flight.agent.home.adopt(registration)
        flight.agent.machine.observe(flight.fix())
        #expect(try flight.positions().accepted == 2)
    }

    @Test("Once the registration is removed, nothing more is kept, and what is queued stays")
    @LoopActor func removed() throws {
        let (flight, registration) = try start()
        defer { flight.stop() }
        flight.home.failure = .failed(.network("down"))
        flight.agent.home.adopt(registration)
        flight.drive(for: 900)
        let queued = try flight.positions().queued
        #expect(queued > 0)
        flight.agent.home.adopt(nil)
        flight.drive(for: 900)
        #expect(try flight.positions().queued == queued)
    }

    @Test("With queue_unregistered, the first registration delivers what was queued before")
    @LoopActor func queued() throws {
        let (flight, registration) = try start { $0.location.queueUnregistered = true }
        defer { flight.stop() }
        flight.drive(for: 900)
        let accepted = try flight.positions().accepted
        #expect(accepted > 0)
        flight.agent.home.adopt(registration)
        flight.drive(for: 60)
        _ = try flight.drain(within: 600)
        let ledger = try flight.positions()
        #expect(ledger[.deliveredLive] + ledger[.deliveredTrack] >= accepted)
        #expect(try flight.violations() == [])
    }
}
