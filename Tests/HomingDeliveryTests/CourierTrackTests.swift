import HomingBase
import HomingDelivery
import HomingTestKit
import Testing

/// Amount of history that goes into one event.
@Suite struct CourierTrackTests {
    /// Rows of history, each made by `accept`, delivered to a world that works again; how many each
    /// event had.
    private static func delivered(
        _ rows: Int, _ accept: (inout SimulatedWorld) -> Void
    ) -> (world: SimulatedWorld, events: [[OutboxEntry]]) {
        var world = SimulatedWorld.started()
        world.homeAssistant.condition = .down
        for _ in 0..<rows { accept(&world) }
        world.run(400)
        world.homeAssistant.condition = .running
        let asked = world.run(600)
        let events = asked.compactMap { request, _ in
            if case .track(let rows) = request { rows } else { nil }
        }
        return (world, events)
    }

    @Test("An event has at most 200 positions")
    func positions() {
        let (world, events) = Self.delivered(450) { $0.accept() }
        #expect(events.map(\.count) == [200, 200, 50])
        #expect(world.store.ledger(.location)[.deliveredTrack] == 450)
    }

    @Test(
        "Zones with the longest names stay below what Home Assistant's recorder keeps of an event",
        arguments: ["z", "ß", "\u{1F3E0}", "\"", "\u{1}"])
    func zones(character: String) {
        let name = String(repeating: character, count: 255)
        let (world, events) = Self.delivered(60) { $0.accept(zone: name) }
        #expect(world.store.ledger(.location)[.deliveredTrack] == 60)
        // What a row costs in JSON: `[sequence,time,null,null,null,null,null,null,"name"],`
        let escaped = character == "\"" ? 2 : character == "\u{1}" ? 6 : character.utf8.count
        let row = 19 + 12 + 6 * 5 + 7 + escaped * 255
        for event in events { #expect(event.count * row <= 32_000, "\(event.count) rows") }
        #expect(events.map(\.count).max() == events.first?.count, "each is as full as it may be")
    }

    @Test("News that grew old after it was read goes home as history, and is told once")
    func oldNews() {
        var world = SimulatedWorld.started()
        world.homeAssistant.condition = .down
        for _ in 0..<8 { world.accept() }
        world.answerAll()
        world.homeAssistant.condition = .running
        world.tellCourier(.flush)
        while world.homeAssistant.live.count < 2, world.underWay != nil { world.answer() }
        // A slow endpoint, or a sleep: the third is on its way, the others were read with it.
        world.now = world.now.advanced(by: 400)
        world.answerAll()
        #expect(world.homeAssistant.live == [1, 2, 3])
        #expect(world.homeAssistant.track == [4, 5, 6, 7, 8])
        let ledger = world.store.ledger(.location)
        #expect(ledger[.deliveredLive] == 3 && ledger[.deliveredTrack] == 5)
        #expect(world.violations.isEmpty)
    }
}
