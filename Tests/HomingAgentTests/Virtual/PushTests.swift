import HomingPush
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent
@testable import HomingPush

/// The push channel for hours: real sockets on a virtual clock.
@Suite(.serialized) struct PushTests {
    private static let hour: Seconds = 3600
    private static let subscription = "mobile_app/push_notification_channel"

    init() { LoopThread.start() }

    /// An agent whose only endpoint is this port.
    @LoopActor private func flight(_ server: PlayedChannel) throws -> VirtualAgent {
        let flight = try VirtualAgent(
            registration: HomeRig.registration(server.url, secret: nil), push: .always)
        flight.home.homeAssistant.cloudhookURL = nil
        flight.home.homeAssistant.remoteUIURL = nil
        return flight
    }

    @LoopActor private func session(_ flight: VirtualAgent) -> PushSession? {
        flight.agent.home.state.channel.session
    }

    @LoopActor private func isOpen(_ flight: VirtualAgent) -> Bool {
        if case .open? = session(flight)?.state { true } else { false }
    }

    /// Waits until the channel is open, and the registration's question for a secret, which closes the
    /// channel for a moment, is over.
    @LoopActor private func settle(_ flight: VirtualAgent) async throws {
        let home = flight.agent.home
        try await flight.turn { isOpen(flight) }
        for _ in 0..<60 where home.upkeep.secret.isDue {
            flight.clock.pass(1)
            await Watch.pause(0.005)
        }
        try await flight.turn {
            isOpen(flight) && !home.upkeep.secret.isDue && !home.state.isRegistering
        }
    }

    /// Seconds until the next try; `nil` while one is under way.
    @LoopActor private func wait(_ flight: VirtualAgent) -> Seconds? {
        guard case .waiting(let until)? = session(flight)?.state else { return nil }
        return until - flight.clock.now().uptime
    }

    /// Lets time pass until the next try, which comes then; returns how long that is.
    @LoopActor private func tryNext(
        _ flight: VirtualAgent, _ server: PlayedChannel
    ) async throws -> Seconds {
        try await flight.turn { wait(flight) != nil }
        let (seconds, tries) = (try #require(wait(flight)), server.attempts)
        flight.clock.pass(seconds + 0.01)
        try await flight.turn { server.attempts == tries + 1 }
        return seconds
    }

    @Test("While nobody is there it is tried at most 5 min apart, for hours, and then it opens")
    @LoopActor func reconnects() async throws {
        let server = try PlayedChannel()
        let flight = try flight(server)
        defer { flight.stop() }
        let start = flight.clock.now().uptime
        var waits: [Seconds] = []
        while flight.clock.now().uptime - start < 6 * Self.hour {
            waits.append(try await tryNext(flight, server))
        }
        #expect(waits.allSatisfy { (0.9...300.1).contains($0) }, "\(waits)")
        #expect(try (0.9...1.1).contains(#require(waits.first)))
        // By chance, of up to half the outage: 150 s at the average.
        #expect((72...400).contains(waits.count))
        server.manner = .well
        _ = try await tryNext(flight, server)
        try await flight.turn { isOpen(flight) }
        printFigure("\(waits.count) tries in 6 h without Home Assistant")
    }

    @Test("After 70 s without a word it asks, and 30 s later the socket is dead, for hours")
    @LoopActor func silence() async throws {
        let server = try PlayedChannel()
        server.manner = .silent
        let flight = try flight(server)
        defer { flight.stop() }
        try await settle(flight)
        let first = server.attempts
        for round in 1...75 {
            try await flight.turn { isOpen(flight) }
            #expect(server.attempts == first + round - 1)
            flight.clock.pass(69.9)
            await Watch.pause(0.002)
            #expect(server.count("ping") == round - 1, "it asks too soon")
            flight.clock.pass(0.2)
            try await flight.turn { server.count("ping") == round }
            flight.clock.pass(29.7)
            #expect(isOpen(flight))
            flight.clock.pass(0.3)
            #expect(!isOpen(flight))
            // A good channel that ends is opened again in a second.
            flight.clock.pass(1)
        }
        printFigure("75 sockets that died in silence, in 2 h 6 min")
    }

    @Test(
        "What Home Assistant may hand to a relay is known after a reboot; what it took costs no write"
    )
    @LoopActor func arrived() async throws {
        let server = try PlayedChannel()
        server.manner = .well
        let flight = try flight(server)
        defer { flight.stop() }
        try await settle(flight)
        func kept() -> String {
            String(
                decoding: (try? AtomicFile.read(flight.file("arrived.json"))) ?? [], as: UTF8.self)
        }
        server.notify("taken", confirmID: "first")
        try await flight.turn { session(flight)?.remembered == ["first"] }
        try await flight.turn { session(flight)?.hasUnconfirmed == false }
        flight.clock.pass(5)
        #expect(kept() == "")
        server.takesConfirmations = false
        server.notify("in doubt", confirmID: "second")
        try await flight.turn { session(flight)?.remembered.count == 2 }
        flight.clock.pass(1.9)
        #expect(kept() == "")
        flight.clock.pass(0.2)
        #expect(kept() == #"["first","second"]"#)
    }

    @Test("While pings are answered it stays open for hours, and is subscribed anew each hour")
    @LoopActor func stays() async throws {
        let server = try PlayedChannel()
        server.manner = .well
        let flight = try flight(server)
        defer { flight.stop() }
        try await settle(flight)
        let (attempts, subscribed) = (server.attempts, server.count(Self.subscription))
        for _ in 0..<Int(4.5 * Self.hour / 10) {
            flight.clock.pass(10)
            try await flight.turn { session(flight)?.deadline == nil }
        }
        #expect(isOpen(flight) && server.attempts == attempts)
        #expect(server.count(Self.subscription) == subscribed + 4)
        #expect((200...232).contains(server.count("ping")))
    }
}
