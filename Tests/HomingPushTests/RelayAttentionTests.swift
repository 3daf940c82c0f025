import HomingBase
import Testing

@testable import HomingPush

/// Times at which the relay is held, looked at, or left alone. Each sentence of `[push] relay` is
/// tried, on a virtual clock.
@Suite struct RelayAttentionTests {
    /// An attention, and a relay that is reached or not.
    private struct Bench {
        var attention: RelayAttention
        var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
        /// Whether a look succeeds at once.
        var isReached = true
        /// Seconds between two occasions; none without.
        var occasions: Seconds?
        /// Seconds since the beginning at which a connection was begun.
        private(set) var connections: [Seconds] = []
        /// Seconds for which a connection was wanted.
        private(set) var held: Seconds = 0
        private(set) var wakes = 0
        private var last = RelayAttention.Wish.none

        init(_ mode: RelayMode, _ channel: RelayAttention.Channel) {
            attention = RelayAttention(mode, channel: channel, at: now)
            settle()
        }

        var wish: RelayAttention.Wish { attention.wish(at: now) }

        mutating func tellAttention(_ event: RelayAttention.Event) {
            attention.handle(event, at: now)
            settle()
        }

        private mutating func settle() {
            let new = wish
            if new != .none, last == .none { connections.append(now.uptime - 1000) }
            last = new
            guard new == .look || new == .hold, !isAnswered else { return }
            isAnswered = true
            attention.handle(isReached ? .looked : .failed, at: now)
            isAnswered = false
            last = wish
        }

        private var isAnswered = false

        /// Time passes, second by second.
        mutating func pass(_ seconds: Seconds) {
            for _ in 0..<Int(seconds) {
                now = now.advanced(by: 1)
                if let occasions, Int(now.uptime - 1000) % Int(occasions) == 0 {
                    tellAttention(.occasion)
                }
                if let wake = attention.nextWake, wake <= now.uptime {
                    wakes += 1
                    tellAttention(.wake)
                }
                if wish != .none { held += 1 }
            }
        }

        mutating func forget() { (connections, held, wakes) = ([], 0, 0) }
    }

    @Test("auto holds the relay while the channel fails, and not longer")
    func failing() {
        var bench = Bench(.auto, .failing)
        #expect(bench.wish == .hold)
        bench.pass(7200)
        #expect(bench.held == 7200)
        bench.tellAttention(.channel(.open))
        #expect(bench.wish == .none)
    }

    @Test("auto holds the relay for 120 s after each opening of the channel")
    func opening() {
        var bench = Bench(.auto, .open)
        bench.forget()
        bench.tellAttention(.opened)
        #expect(bench.wish == .hold)
        bench.pass(100)
        // In place of another one, without a moment in between.
        bench.tellAttention(.opened)
        bench.pass(119)
        #expect(bench.wish == .hold)
        bench.pass(1)
        #expect(bench.wish == .none)
        #expect(bench.connections.count == 1)
    }

    @Test(
        "Where the channel is closed by choice, auto and look look every 15 min, hourly or less often under thrift",
        arguments: [RelayMode.auto, .look],
        [
            (.usual, 900.0), (.stretched(1), 3600), (.stretched(4), 14_400),
            (.stretched(16), 21_600), (.daily, 86_400),
        ] as [(RelayAttention.Looks, Seconds)])
    func closed(_ mode: RelayMode, _ thrift: (looks: RelayAttention.Looks, period: Seconds)) {
        var bench = Bench(mode, .closed)
        bench.tellAttention(.looks(thrift.looks))
        bench.occasions = 60
        bench.forget()
        bench.pass(24 * 3600)
        #expect(bench.connections.count == Int(86_400 / thrift.period))
        let first = bench.connections.first ?? 0
        #expect(
            bench.connections
                == (0..<bench.connections.count).map { first + Double($0) * thrift.period })
        #expect(bench.held == 0, "a look ends when all has come")
    }

    @Test("In quiet hours only a machine that wakes looks, and after them everybody does")
    func quiet() {
        var bench = Bench(.auto, .closed)
        bench.tellAttention(.looks(.never))
        bench.occasions = 60
        bench.forget()
        bench.pass(9 * 3600)
        #expect(bench.connections.isEmpty)
        #expect(bench.wakes == 0)
        bench.tellAttention(.woke)
        bench.pass(60)
        #expect(bench.connections.count == 1)
        bench.pass(3600)
        bench.tellAttention(.looks(.stretched(1)))
        bench.pass(61)
        #expect(bench.connections.count == 2)
    }

    @Test("A daily look that reaches nobody is made again within the hour")
    func failedLook() {
        var bench = Bench(.auto, .closed)
        bench.tellAttention(.looks(.daily))
        bench.occasions = 60
        bench.isReached = false
        bench.forget()
        bench.pass(24 * 3600)
        #expect(bench.connections.count == 1)
        bench.pass(4 * 3600)
        #expect((4...5).contains(bench.connections.count), "\(bench.connections)")
        bench.isReached = true
        bench.pass(24 * 3600)
        #expect((5...7).contains(bench.connections.count), "\(bench.connections)")
    }

    @Test("A periodic look costs no wake-up of its own where something wakes us anyway")
    func occasions() {
        var bench = Bench(.auto, .closed)
        bench.occasions = 180
        bench.forget()
        bench.pass(24 * 3600)
        #expect(bench.wakes == 0)
        #expect(bench.connections.count == 96)
        // Where nothing does, looks are a little rarer.
        bench.occasions = nil
        bench.forget()
        bench.pass(24 * 3600)
        #expect(bench.connections.count == Int(86_400 / (900 * 1.25)))
        #expect(bench.wakes == bench.connections.count)
    }

    @Test("A channel that is closed by choice is followed by a look at once")
    func becomesClosed() {
        var bench = Bench(.auto, .open)
        bench.pass(300)
        bench.forget()
        bench.tellAttention(.channel(.closed))
        #expect(bench.connections == [300])
    }

    @Test("The relay is looked at when the machine wakes", arguments: [RelayMode.auto, .look])
    func wakes(_ mode: RelayMode) {
        var bench = Bench(mode, .closed)
        bench.pass(60)
        bench.tellAttention(.sleep)
        #expect(bench.wish == .none)
        #expect(bench.attention.nextWake == nil)
        bench.forget()
        bench.pass(8 * 3600)
        #expect(bench.connections.isEmpty, "nothing while it sleeps")
        bench.tellAttention(.woke)
        #expect(bench.connections.count == 1)
    }

    @Test(
        "While the channel is open, there is at most one connection an hour, reached or not",
        arguments: [true, false])
    func open(_ isReached: Bool) {
        var bench = Bench(.auto, .open)
        bench.isReached = isReached
        bench.occasions = 20
        bench.pass(3600)
        bench.forget()
        bench.pass(48 * 3600)
        #expect((40...48).contains(bench.connections.count))
        let gaps = zip(bench.connections, bench.connections.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 >= 3600 }, "\(gaps)")
        #expect(bench.held == 0)
    }

    @Test("A look that fails is tried for a minute while the channel is closed")
    func patience() {
        var bench = Bench(.auto, .open)
        bench.isReached = false
        bench.pass(10)
        bench.tellAttention(.channel(.closed))
        bench.pass(59)
        #expect(bench.wish == .look)
        bench.pass(1)
        #expect(bench.wish == .none)
    }

    @Test(
        "hold holds always, but while the machine sleeps",
        arguments: [RelayAttention.Channel.open, .failing, .closed])
    func hold(_ channel: RelayAttention.Channel) {
        var bench = Bench(.hold, channel)
        bench.pass(7200)
        #expect(bench.held == 7200)
        bench.tellAttention(.sleep)
        #expect(bench.wish == .none)
        bench.tellAttention(.woke)
        #expect(bench.wish == .hold)
    }

    @Test("look never holds, and looks a moment after an opening of the channel")
    func look() {
        var bench = Bench(.look, .failing)
        bench.forget()
        bench.pass(20)
        bench.tellAttention(.channel(.open))
        bench.tellAttention(.opened)
        bench.pass(3600)
        #expect(bench.connections == [35])
        #expect(bench.held == 0)
    }

    @Test("off does nothing, but for a test")
    func off() {
        var bench = Bench(.off, .failing)
        bench.tellAttention(.opened)
        bench.tellAttention(.occasion)
        bench.pass(7200)
        #expect(bench.connections.isEmpty && bench.wakes == 0)
        bench.tellAttention(.test(60))
        #expect(bench.wish == .hold)
        bench.pass(30)
        bench.tellAttention(.test(0))
        #expect(bench.wish == .none)
        bench.tellAttention(.test(60))
        bench.pass(60)
        #expect(bench.wish == .none)
    }

    @Test("Without a network nothing is tried; with the network the relay is looked at")
    func offline() {
        var bench = Bench(.auto, .offline)
        bench.occasions = 60
        bench.pass(7200)
        #expect(bench.connections.isEmpty)
        bench.tellAttention(.channel(.closed))
        #expect(bench.connections.count == 1)
    }

    @Test("Another mode is followed at once")
    func mode() {
        var bench = Bench(.off, .closed)
        bench.tellAttention(.mode(.look))
        #expect(bench.connections.count == 1)
        bench.tellAttention(.mode(.hold))
        #expect(bench.wish == .hold)
        bench.tellAttention(.mode(.off))
        #expect(bench.wish == .none)
    }

    @Test("It never asks to be woken at a time that has come, whatever happens")
    func wakesEnd() {
        let seed = UInt64.random(in: 0...(.max))
        print("HOMING_SEED=\(seed)")
        var random = SeededRandom(seed: seed)
        let modes = RelayMode.allCases
        let channels: [RelayAttention.Channel] = [.open, .failing, .closed, .offline]
        for _ in 0..<300 {
            var attention = RelayAttention(
                .auto, channel: .failing, at: Moment(uptime: 1000, unixTime: 0))
            var now = Moment(uptime: 1000, unixTime: 0)
            for _ in 0..<100 {
                let events: [RelayAttention.Event] = [
                    .mode(modes.randomElement(using: &random) ?? .auto),
                    .channel(channels.randomElement(using: &random) ?? .open), .opened,
                    .looks(
                        [.usual, .stretched(1), .stretched(16), .daily, .never].randomElement(
                            using: &random) ?? .usual), .sleep, .woke,
                    .occasion, .wake, .looked,
                    .failed, .test(.random(in: 0...100, using: &random)),
                ]
                attention.handle(events.randomElement(using: &random) ?? .wake, at: now)
                var wakes = 0
                while let wake = attention.nextWake, wake <= now.uptime, wakes < 10 {
                    attention.handle(.wake, at: now)
                    wakes += 1
                }
                #expect(wakes < 3, "HOMING_SEED=\(seed) \(attention)")
                now = now.advanced(by: .random(in: 0...400, using: &random))
            }
        }
    }
}
