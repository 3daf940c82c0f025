import HomingHealth
import HomingMachine
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// The connection to gpsd for hours: real sockets on a virtual clock.
@Suite(.serialized) struct GPSDTests {
    init() { LoopThread.start() }

    @LoopActor private func state(_ flight: VirtualAgent) -> GPSDState {
        flight.agent.machine.state.receiver.gpsd
    }

    /// Whether gpsd was tried so often, and the last try is over.
    @LoopActor private func isOver(_ tries: Int, _ gpsd: PlayedGPSD) -> Bool {
        gpsd.watched == tries && gpsd.isDeserted
    }

    @Test("A gpsd that hangs up is tried every 4 s for two minutes, and every minute from then on")
    @LoopActor func reconnects() async throws {
        let gpsd = try PlayedGPSD()
        gpsd.hangsUp = true
        let flight = try VirtualAgent(gpsd: gpsd.port)
        defer { flight.stop() }
        try await flight.turn { isOver(1, gpsd) }
        for tries in 1...200 {
            // The first failure is of the beginning, the 31st of two minutes later.
            let wait: Seconds = tries <= 30 ? 4 : 60
            flight.clock.pass(wait - 0.5)
            await Watch.pause(0.002)
            #expect(gpsd.watched == tries, "tried too soon")
            flight.clock.pass(0.5)
            try await flight.turn { isOver(tries + 1, gpsd) }
        }
        #expect(state(flight) == .disconnected("gpsd closed the connection"))
        #expect(flight.warnings.contains { $0.warnable == .gpsdUnreachable })
        gpsd.hangsUp = false
        flight.clock.pass(60)
        try await flight.turn { state(flight) == .watching(receivers: 1) }
        flight.clock.pass(5)
        #expect(!flight.warnings.contains { $0.warnable == .gpsdUnreachable })
        printFigure("a gpsd that hangs up: 201 tries in 2 h 52 min")
    }

    @Test("A gpsd that says nothing for 30 s is left, and tried again 4 s later, for hours")
    @LoopActor func silence() async throws {
        let gpsd = try PlayedGPSD()
        let flight = try VirtualAgent(gpsd: gpsd.port)
        defer { flight.stop() }
        for tries in 1...220 {
            try await flight.turn { state(flight) == .watching(receivers: 1) }
            #expect(gpsd.watched == tries)
            flight.clock.pass(29.5)
            #expect(state(flight) == .watching(receivers: 1))
            flight.clock.pass(0.5)
            #expect(state(flight) == .disconnected("gpsd sends no data from a receiver"))
            try await flight.turn { isOver(tries, gpsd) }
            flight.clock.pass(4)
        }
        printFigure("a silent gpsd: left 220 times in 2 h 5 min, each time after 30 s")
    }
}
