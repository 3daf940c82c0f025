import HomingHealth
import HomingLocation
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Two machines that report by one registration, and what only looks like that.
@Suite(.serialized) struct TwinTests {
    init() { LoopThread.start() }

    private static let elsewhere = Coordinate(latitude: 48, longitude: 11)

    @LoopActor private func isWarned(_ flight: VirtualAgent) -> Bool {
        flight.warnings.contains { $0.warnable == .registrationShared }
    }

    /// The other one is somewhere else each time.
    @LoopActor private func other(_ flight: VirtualAgent, _ number: Int) {
        flight.home.homeAssistant.place = Coordinate(
            latitude: 48 + Double(number) / 1000, longitude: 11)
    }

    @Test("Another machine that moves is warned of within hours, whether ours moves or stands")
    @LoopActor func moving() throws {
        for pace in [30.0, 600] {
            let flight = try VirtualAgent()
            defer { flight.stop() }
            flight.drive(for: 1200, every: pace)
            #expect(!isWarned(flight))
            for number in 1...Int(6 * 3600 / pace) where !isWarned(flight) {
                other(flight, number)
                flight.drive()
                flight.clock.pass(pace)
            }
            #expect(isWarned(flight), "every \(pace) s")
            flight.agent.home.adopt(HomeRig.registration("http://homeassistant.local:8123"))
            #expect(isWarned(flight), "the same registration")
        }
    }

    @Test("What a person sets, a restart that shows an old place, and zones by name are no machine")
    @LoopActor func falseAlarms() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.drive(for: 1200)
        let old = flight.home.homeAssistant.place
        for hour in 1...24 {
            flight.drive(for: 3600, every: 60)
            // What waits for its receipt would be told again.
            flight.clock.pass(150)
            switch hour % 4 {
            case 0:
                // Home Assistant comes back with what it held hours ago.
                flight.home.homeAssistant.condition = .down
                flight.clock.pass(30)
                flight.home.homeAssistant.condition = .running
                flight.home.homeAssistant.place = old
            case 1 where hour == 5: flight.home.homeAssistant.place = Self.elsewhere
            default: break
            }
        }
        #expect(!isWarned(flight))
        #expect(try flight.violations() == [])
    }
}
