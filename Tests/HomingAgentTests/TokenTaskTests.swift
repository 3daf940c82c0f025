import HomeAssistantAPI
import HomingControl
import HomingHealth
import HomingRegistration
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Tokens that are revoked, and tokens that are not.
@Suite(.serialized) struct TokenTaskTests {
    init() { LoopThread.start() }

    private static let own = Registration.Authorization(
        kind: .longLived, token: "own", isOwn: true)

    @Test("Where another machine may use the registration, no token is revoked, and it says so")
    @LoopActor func suspected() async throws {
        let flight = try VirtualAgent(registration: Self.registration())
        defer { flight.stop() }
        let home = flight.agent.home
        home.sawAnother()
        #expect(home.mayBeShared)
        flight.drive(for: 120)
        #expect(home.delivery.state.hasReceipt)
        await Watch.pause(0.5)
        #expect(!isLeft(flight), "a try to revoke failed, so there was one")
        let result = try await home.unregister()
        #expect(result.token == .left)
        #expect(result.reason == "another machine may use this registration")
    }

    @Test("A token of before that cannot be revoked is raised, with where to click")
    @LoopActor func left() async throws {
        let flight = try VirtualAgent(registration: Self.registration())
        defer { flight.stop() }
        flight.drive(for: 120)
        for _ in 0..<200 where !isLeft(flight) { await Watch.pause(0.05) }
        #expect(isLeft(flight))
        #expect(Warnable.tokenLeft.hint.contains("Security"))
        #expect(flight.agent.home.keeper.registration?.retired?.count == 1, "it is tried again")
    }

    @LoopActor private func isLeft(_ flight: VirtualAgent) -> Bool {
        flight.agent.home.warnings.isRaised(.tokenLeft)
    }

    @Test("All tokens that Homing made are its own, those of before too; one that was given is not")
    @LoopActor func ownTokens() {
        var registration = Self.registration()
        #expect(registration.ownTokens.map(\.token) == ["before", "own"])
        registration.retired = nil
        #expect(registration.ownTokens.map(\.token) == ["own"])
        registration.authorization = Registration.Authorization(kind: .longLived, token: "given")
        #expect(registration.ownTokens.isEmpty)
    }

    @LoopActor private static func registration() -> Registration {
        var registration = HomeRig.registration("http://127.0.0.1:9")
        registration.authorization = own
        registration.retired = [
            Registration.Authorization(kind: .refresh, token: "before", isOwn: true)
        ]
        return registration
    }
}
