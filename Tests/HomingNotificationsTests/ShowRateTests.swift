import Glibc
import HomeAssistantAPI
import Testing

@testable import HomingBase
@testable import HomingNotifications

/// Notifications of a flood: those that are shown, those that wait, and those that are folded.
@Suite struct ShowRateTests {
    private static func message(
        _ text: String, tag: String? = nil, critical: Bool = false, buttons: Bool = false
    ) -> PushMessage {
        PushMessage(
            message: text, title: "Alarm", tag: tag, urgency: critical ? .critical : .normal,
            actions: buttons ? [OfferedAction(id: "OK", title: "OK")] : [])
    }

    /// A rate on a clock of its own, and everything it had done.
    private struct World {
        var rate = ShowRate()
        var now = Moment(uptime: 10, unixTime: 0)
        var wakeAt: Seconds?
        var shown: [(at: Seconds, message: PushMessage)] = []
        var folded: [PushMessage] = []
        var dropped: [PushMessage] = []
        var summary: ShowRate.Summary?

        mutating func recordRateEffects(_ effects: [ShowRate.Effect]) {
            for effect in effects {
                switch effect {
                case .show(let message): shown.append((now.uptime, message))
                case .folded(let message): folded.append(message)
                case .dropped(let message): dropped.append(message)
                case .wake(let at): wakeAt = at
                case .summarize(let new): summary = new
                case .withdraw: summary = nil
                }
            }
        }

        mutating func offer(_ message: PushMessage) {
            recordRateEffects(rate.offer(message, at: now))
        }

        mutating func clear(_ tag: String) { recordRateEffects(rate.clear(tag: tag, at: now)) }

        mutating func pass(_ seconds: Seconds) {
            let end = now.uptime + seconds
            while let at = wakeAt, at <= end {
                now.uptime = max(now.uptime, at)
                wakeAt = nil
                recordRateEffects(rate.timer(at: now))
            }
            now.uptime = end
        }

        var texts: [String] { shown.map(\.message.message) }
    }

    @Test("Five are shown in a second; the rest is counted, and told of once a second")
    func flood() {
        var world = World()
        for number in 0..<1000 {
            world.offer(Self.message("\(number)"))
            world.pass(0.0001)
        }
        #expect(world.texts == ["0", "1", "2", "3", "4"] && world.summary == nil)
        world.pass(1)
        let lines = (995..<1000).map { "Alarm: \($0)" }
        #expect(
            world.summary == ShowRate.Summary(count: 995, lines: lines, isCritical: false))
        world.pass(3)
        #expect(world.wakeAt == nil && world.rate.total == 995, "nothing wakes when it is over")
        world.offer(Self.message("later"))
        #expect(world.texts.last == "later")
    }

    @Test("The newest of a tag that is shown takes its place, after a moment if need be")
    func progress() {
        var world = World()
        for percent in 0..<100 { world.offer(Self.message("\(percent)", tag: "bar")) }
        #expect(world.texts.count == 5 && world.folded.isEmpty)
        world.pass(1)
        #expect(world.texts.last == "99" && world.summary == nil)
        #expect(world.dropped.count == 94)
    }

    @Test("Critical ones and those with buttons are shown, twenty in a second, and none is folded")
    func urgent() {
        for buttons in [false, true] {
            var world = World()
            for number in 0..<5 { world.offer(Self.message("plain \(number)")) }
            for number in 0..<60 {
                world.offer(Self.message("\(number)", critical: !buttons, buttons: buttons))
            }
            #expect(world.shown.count == 20 && world.folded.isEmpty)
            world.pass(3)
            #expect(world.shown.count == 65 && world.folded.isEmpty && world.summary == nil)
            #expect(world.texts.suffix(60) == (0..<60).map { "\($0)" }[...], "in their order")
        }
    }

    @Test("More urgent ones than may wait are folded, and their summary is critical")
    func bound() {
        var world = World()
        for number in 0..<1000 { world.offer(Self.message("\(number)", critical: true)) }
        #expect(world.shown.count == 20 && world.folded.count == 1000 - 20 - 64)
        world.pass(1)
        #expect(world.summary?.isCritical == true && world.summary?.count == 916)
        world.pass(10)
        #expect(world.shown.count == 84)
    }

    @Test("What was folded is cleared by its tag, and the summary with the last of it")
    func clearing() {
        var world = World()
        for number in 0..<5 { world.offer(Self.message("\(number)")) }
        for number in 0..<64 { world.offer(Self.message("\(number)", tag: "\(number)")) }
        for tag in ["six", "seven"] { world.offer(Self.message(tag, tag: tag)) }
        world.pass(1)
        #expect(world.summary?.count == 2)
        world.clear("six")
        world.pass(1)
        #expect(world.summary?.lines == ["Alarm: seven"] && world.summary?.count == 1)
        world.clear("seven")
        world.pass(1)
        #expect(world.summary == nil)
        world.pass(15)
        #expect(world.wakeAt == nil)
    }

    @Test(
        "One with a tag is not folded: it waits for its turn, and a later one of the tag in its place"
    )
    func tagged() {
        var world = World()
        for number in 0..<20 { world.offer(Self.message("plain \(number)")) }
        for number in 0..<60 { world.offer(Self.message("\(number)", tag: "\(number)")) }
        world.offer(Self.message("7 again", tag: "7"))
        world.pass(20)
        #expect(world.folded.map(\.message) == (5..<20).map { "plain \($0)" })
        #expect(world.shown.count == 5 + 60 && world.texts.contains("7 again"))
        #expect(world.dropped.map(\.message) == ["7"] && world.summary?.count == 15)
    }

    @Test("What waits is cleared by its tag")
    func clearingWaiting() {
        var world = World()
        for number in 0..<30 {
            world.offer(Self.message("\(number)", tag: "\(number)", critical: true))
        }
        world.clear("25")
        world.pass(2)
        #expect(world.shown.count == 29 && world.dropped.map(\.tag) == ["25"])
    }

    // MARK: Random histories

    /// `HOMING_SEED` repeats a run; `HOMING_HISTORIES` makes it longer.
    private static func number(_ name: String, _ fallback: UInt64) -> UInt64 {
        getenv(name).flatMap { UInt64(String(cString: $0)) } ?? fallback
    }

    @Test("In random histories nothing is lost, and no second shows more than its bound")
    func histories() {
        let seed = Self.number("HOMING_SEED", UInt64.random(in: 0...(.max)))
        let histories = Self.number("HOMING_HISTORIES", 500)
        print("HOMING_SEED=\(seed), \(histories) histories")
        for index in 0..<histories {
            let violations = Self.run(seed: seed &+ index)
            #expect(violations.isEmpty, "HOMING_SEED=\(seed &+ index) HOMING_HISTORIES=1")
            if !violations.isEmpty { return }
        }
    }

    private static func run(seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        var world = World()
        var offered: [PushMessage] = []
        var cleared: Set<String> = []
        for step in 0..<Int.random(in: 5...200, using: &random) {
            let tag = Bool.random(using: &random) ? "\(Int.random(in: 0...5, using: &random))" : nil
            switch Int.random(in: 0...9, using: &random) {
            case 0: world.pass(Seconds.random(in: 0...2, using: &random))
            case 1:
                let tag = tag ?? "0"
                cleared.insert(tag)
                world.clear(tag)
            default:
                let message = message(
                    "\(step)", tag: tag, critical: Int.random(in: 0...3, using: &random) == 0)
                if let tag { cleared.remove(tag) }
                offered.append(message)
                world.offer(message)
            }
        }
        world.pass(60)
        return violations(world, offered, cleared)
    }

    private static func violations(
        _ world: World, _ offered: [PushMessage], _ cleared: Set<String>
    ) -> [String] {
        var violations: [String] = []
        let ends = world.shown.map(\.message) + world.folded + world.dropped
        let texts = ends.map(\.message).sorted()
        if texts != offered.map(\.message).sorted() {
            violations.append("one is lost, or has two ends")
        }
        for (index, one) in world.shown.enumerated() {
            let second = world.shown[index...].prefix { $0.at < one.at + 1 }
            if second.count > ShowRate.urgentPerSecond { violations.append("too many in a second") }
            let plain = second.filter { !$0.message.isUrgent }.count
            if plain > ShowRate.perSecond { violations.append("too many plain ones") }
        }
        if world.folded.contains(where: \.isUrgent), offered.count < ShowRate.waitingLimit {
            violations.append("an urgent one was folded")
        }
        for tag in Set(offered.compactMap(\.tag)).subtracting(cleared) {
            let newest = offered.last { $0.tag == tag }
            let isShown = world.shown.last { $0.message.tag == tag }?.message == newest
            let isFolded = world.folded.last { $0.tag == tag } == newest
            if !isShown && !isFolded { violations.append("an older one of \(tag) is left") }
        }
        if world.wakeAt != nil { violations.append("it wakes for ever") }
        return violations
    }
}
