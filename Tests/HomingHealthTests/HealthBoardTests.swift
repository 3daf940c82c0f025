import HomingBase
import HomingHealth
import HomingTestKit
import Testing

@Suite struct HealthBoardTests {
    private let start = Moment(uptime: 1000, unixTime: 1_800_000_000)

    @Test("A warning is shown when it has lasted, and its end is told")
    func lasting() {
        var board = HealthBoard()
        #expect(board.set(.notDelivering, true, detail: "x", at: start).isEmpty)
        #expect(board.visible.isEmpty)
        #expect(board.nextReview == 1900)
        let changes = board.review(at: start.advanced(by: 900))
        #expect(changes == [.appeared(.notDelivering, detail: "x")])
        #expect(board.review(at: start.advanced(by: 1000)).isEmpty, "it is told once")
        #expect(
            board.set(.notDelivering, false, at: start.advanced(by: 1001)) == [
                .cleared(.notDelivering)
            ])
    }

    @Test("What another warning explains is not told until that is over, and asks for no review")
    func explained() {
        var board = HealthBoard()
        _ = board.set(.gpsdUnreachable, true, since: 0, at: start)
        #expect(board.set(.noFix, true, detail: "none", since: -4000, at: start).isEmpty)
        #expect(board.visible.map(\.warnable) == [.gpsdUnreachable])
        #expect(board.nextReview == nil)
        #expect(
            board.set(.gpsdUnreachable, false, at: start.advanced(by: 1)) == [
                .cleared(.gpsdUnreachable), .appeared(.noFix, detail: "none"),
            ])
        _ = board.set(.gpsdUnreachable, true, since: 0, at: start.advanced(by: 2))
        #expect(board.visible.map(\.warnable) == [.gpsdUnreachable])
        #expect(board.set(.noFix, false, at: start.advanced(by: 3)) == [.cleared(.noFix)])
    }

    @Test("What mends itself in time is no news")
    func mendsItself() {
        var board = HealthBoard()
        _ = board.set(.gpsdUnreachable, true, at: start)
        #expect(board.set(.gpsdUnreachable, false, at: start.advanced(by: 60)).isEmpty)
        #expect(board.review(at: start.advanced(by: 500)).isEmpty)
    }

    @Test("What began earlier counts from then")
    func began() {
        var board = HealthBoard()
        let changes = board.set(.noFix, true, since: start.uptime - 3600, at: start)
        #expect(changes == [.appeared(.noFix, detail: nil)])
    }

    @Test("A review at the time that was asked for never comes too early")
    func onTime() {
        let seed = TestRun.seed()
        var random = SeededRandom(seed: seed)
        for _ in 0..<1000 {
            var board = HealthBoard()
            let begun = start.advanced(by: Double.random(in: 0...1e6, using: &random))
            _ = board.set(.gpsdUnreachable, true, at: begun)
            let review = Moment(uptime: board.nextReview ?? 0, unixTime: 0)
            #expect(!board.review(at: review).isEmpty, "HOMING_SEED=\(seed)")
        }
    }

    @Test("A refused message is a warning for a day after the last one")
    func overByItself() {
        var board = HealthBoard()
        #expect(board.set(.rejected, true, at: start) == [.appeared(.rejected, detail: nil)])
        let later = start.advanced(by: 80_000)
        #expect(board.set(.rejected, true, detail: "2", at: later).isEmpty)
        #expect(board.nextReview == later.uptime + 86400)
        #expect(board.review(at: start.advanced(by: 90_000)).isEmpty)
        #expect(board.visible.map(\.detail) == ["2"])
        #expect(board.review(at: later.advanced(by: 86400)) == [.cleared(.rejected)])
        #expect(board.visible.isEmpty && board.nextReview == nil)
    }
}
