import HomingConfiguration
import HomingControl
import HomingDelivery
import HomingLocation
import HomingMachine
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Look-ups: the whole agent on a virtual clock, and a service that answers when the test says so.
@Suite(.serialized) struct LookUpFlightTests {
    init() { LoopThread.start() }

    @LoopActor private func start() throws -> VirtualAgent {
        let flight = try VirtualAgent(sensors: ["location_source"], lookUps: true)
        flight.clock.pass(20)
        return flight
    }

    private static func report(_ latitude: Double, accuracy: Double = 40) -> LookUpStage.Answer {
        .located(
            PositionReport(
                mode: .twoDimensional, latitude: latitude, longitude: 4.9, accuracy: accuracy,
                source: .geoclue))
    }

    @Test("Without a receiver a look-up is told, named as the source, and kept in the track")
    @LoopActor func reported() throws {
        let flight = try start()
        defer { flight.stop() }
        #expect(flight.observer.played.isAsked)
        flight.observer.played.give(Self.report(52))
        flight.clock.pass(60)
        #expect(flight.home.homeAssistant.place?.latitude == 52)
        let status = flight.agent.status()
        #expect(status.homes.first?.locationSource == "geoclue")
        #expect(status.lookUp?.state == "found")
        #expect(
            flight.home.homeAssistant.sensors.shown["location_source"]?.contains("geoclue") == true)
        let page = try flight.agent.track.page(from: 0, to: 2e9, after: nil)
        #expect(page.points.count == 1)
        flight.clock.pass(3600)
        #expect(flight.observer.played.asked >= 3, "once an interval")
    }

    @Test("A receiver that speaks ends the look-ups, and is told at once")
    @LoopActor func receiver() throws {
        let flight = try start()
        defer { flight.stop() }
        flight.observer.played.give(Self.report(52))
        flight.clock.pass(60)
        flight.agent.machine.observe(.gpsd(.watching(receivers: 1)))
        for _ in 0..<3 {
            flight.drive()
            flight.clock.pass(1)
        }
        #expect(flight.home.homeAssistant.place?.latitude ?? 52 < 11)
        #expect(flight.agent.status().homes.first?.locationSource == "gpsd")
        let asked = flight.observer.played.asked
        flight.drive(for: 7200, every: 60)
        #expect(flight.observer.played.asked == asked)
    }

    @Test("A refusal is said, and nothing is told")
    @LoopActor func refused() throws {
        let flight = try start()
        defer { flight.stop() }
        flight.observer.played.give(.refused("not permitted"))
        flight.clock.pass(600)
        #expect(flight.home.updates.positions.isEmpty)
        #expect(flight.agent.status().lookUp?.problem == "not permitted")
    }
}
