import HomeAssistantAPI
import HomingCrypto
import HomingHTTP
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent
@testable import HomingPush

/// The link to a relay by itself: real sockets and seals, a disk that is played, a virtual clock.
@Suite(.serialized) struct RelayLinkTests {
    init() { LoopThread.start() }

    /// A link that holds a played relay, and what it told.
    @LoopActor private final class Bench {
        let relay: PlayedRelay
        let clock: VirtualClock
        private(set) var token = ""
        private(set) var link: RelayLink!
        private(set) var events: [RelayLink.Event] = []
        var isDiskWell = true
        private(set) var writes = 0
        private let client = HTTPClient(userAgent: "Homing/test")

        /// - Parameter unixTime: what this machine's clock says.
        init(unixTime: Seconds = 1_800_000_000) async throws {
            relay = try PlayedRelay()
            clock = VirtualClock(unixTime: unixTime)
            let pair = try KeyPair()
            let answer = try await RelayClient(over: client).join(
                JoinRequest(publicKey: pair.publicKey, code: nil), at: relay.url
            ).get()
            let grant = try ParcelOpener(pair: pair).grant(answer.sealed)
            token = grant.token.text
            let mailbox = RelayLink.Mailbox(
                url: relay.url, token: token,
                opener: ParcelOpener(
                    pair: pair, parcelKeys: [grant.token.keyID: grant.parcelKey]),
                id: MailboxID(of: pair.publicKey))
            link = RelayLink(
                mailbox, over: client,
                attention: RelayAttention(.hold, channel: .failing, at: clock.now()), seed: 1,
                seen: SeenMessages(), clock: clock,
                keep: { [weak self] _ in
                    self?.writes += 1
                    return self?.isDiskWell ?? false
                }
            ) { [weak self] in self?.events.append($0) }
            link.start()
        }

        var isOpen: Bool { if case .open = link.session.state { true } else { false } }

        func stop() {
            link.shutdown()
            client.shutdown()
        }

        /// The bodies and their ages, in order.
        var pushed: [(body: String, age: Seconds)] {
            events.compactMap {
                guard case .push(let body, let age) = $0 else { return nil }
                return (String(decoding: body, as: UTF8.self), age)
            }
        }

        func settle(_ isSo: () -> Bool) async throws {
            let deadline = SystemClock.now().uptime + Patience.moment
            while !isSo() {
                try #require(SystemClock.now().uptime < deadline, "it did not come about")
                clock.pass(0.02)
                await Watch.pause(0.001)
            }
        }
    }

    @Test(
        "The age of a message is right, whatever this machine's clock says",
        arguments: [1_800_000_000.0, 0, 4_000_000_000])
    @LoopActor func age(unixTime: Seconds) async throws {
        let bench = try await Bench(unixTime: unixTime)
        defer { bench.stop() }
        bench.relay.store(#"{"message":"now"}"#, for: bench.token)
        bench.relay.store(#"{"message":"late"}"#, for: bench.token, age: 3 * 3600)
        try await bench.settle { bench.pushed.count == 2 }
        #expect(bench.pushed.map { $0.age } == [0.0, 10_800.0])
        let offset = try #require(bench.link.session.clockOffset)
        #expect(abs(offset - (1_800_000_000 - unixTime)) < 60)
    }

    @Test(
        "A message that is not on the disk is not acknowledged, and is handed on once all the same")
    @LoopActor func fullDisk() async throws {
        let bench = try await Bench()
        defer { bench.stop() }
        bench.isDiskWell = false
        bench.relay.store(#"{"message":"one"}"#, for: bench.token)
        try await bench.settle { bench.pushed.count == 1 }
        bench.clock.pass(1)
        await Watch.pause(0.05)
        #expect(bench.relay.acknowledged.isEmpty)
        bench.relay.drop()
        for _ in 0..<200 where bench.link.counts.duplicates == 0 {
            bench.clock.pass(0.1)
            await Watch.pause(0.003)
        }
        #expect(bench.pushed.count == 1 && bench.link.counts.duplicates == 1)
        #expect(bench.relay.acknowledged.isEmpty)
        bench.isDiskWell = true
        for _ in 0..<200 where bench.relay.acknowledged.isEmpty {
            bench.clock.pass(1)
            await Watch.pause(0.003)
        }
        #expect(bench.relay.acknowledged.count == 1)
    }

    @Test("Messages that come together cost one write, and all of 200 come")
    @LoopActor func batches() async throws {
        let bench = try await Bench()
        defer { bench.stop() }
        try await bench.settle { bench.link.session.count != nil }
        for number in 0..<200 {
            bench.relay.store(#"{"message":"m\#(number)"}"#, for: bench.token)
        }
        try await bench.settle { bench.relay.acknowledged.count == 200 }
        #expect(bench.pushed.map(\.body) == (0..<200).map { #"{"message":"m\#($0)"}"# })
        #expect(bench.writes <= 40, "\(bench.writes)")
    }

    @Test(
        "A relay that sends without end makes the disk be written a few times a minute, and no more"
    )
    @LoopActor func flood() async throws {
        let bench = try await Bench()
        defer { bench.stop() }
        try await bench.settle { bench.link.session.count != nil }
        let begun = bench.clock.now().uptime
        for number in 0..<100 {
            bench.relay.store(#"{"message":"m\#(number)"}"#, for: bench.token)
            let deadline = SystemClock.now().uptime + Patience.moment
            while bench.pushed.count == number {
                try #require(SystemClock.now().uptime < deadline, "it did not come")
                await Watch.pause(0.001)
                bench.clock.pass(1)
            }
        }
        let minutes = (bench.clock.now().uptime - begun) / 60
        #expect(
            Double(bench.writes) <= Double(WritePace.burst) + 3 * minutes + 1, "\(bench.writes)")
        #expect(bench.writes >= WritePace.burst)
        bench.clock.pass(WritePace.interval)
        try await bench.settle { bench.relay.acknowledged.count == 100 }
    }

    @Test("A message whose id is on the disk is acknowledged at once when it comes again")
    @LoopActor func again() async throws {
        let bench = try await Bench()
        defer { bench.stop() }
        try await bench.settle { bench.isOpen }
        bench.relay.losesAcknowledgements = true
        for number in 1...WritePace.burst {
            bench.relay.store(#"{"message":"m\#(number)"}"#, for: bench.token)
            try await bench.settle { bench.writes == number }
        }
        bench.relay.losesAcknowledgements = false
        bench.relay.drop()
        try await bench.settle { bench.link.counts.duplicates == WritePace.burst }
        let known = bench.clock.now().uptime
        try await bench.settle { bench.relay.acknowledged.count == WritePace.burst }
        #expect(bench.clock.now().uptime - known < WritePace.interval / 2)
        #expect(bench.writes == WritePace.burst)
    }

    @Test("A relay that gives another token with each connection gets few of them kept")
    @LoopActor func renewals() async throws {
        let bench = try await Bench()
        defer { bench.stop() }
        try await bench.settle { bench.isOpen }
        let begun = bench.clock.now().uptime
        // Nobody uses the tokens here, so that each connection brings one.
        try bench.relay.rotate()
        for number in 1...30 {
            bench.relay.drain(1)
            try await bench.settle { bench.relay.attempts == number + 1 && bench.isOpen }
        }
        let kept = bench.events.count(where: { if case .renewed = $0 { true } else { false } })
        let minutes = (bench.clock.now().uptime - begun) / 60
        #expect(kept >= WritePace.burst)
        #expect(Double(kept) <= Double(WritePace.burst) + 3 * minutes + 1, "\(kept)")
    }

    @Test("What a test has brought is acknowledged before its connection closes")
    @LoopActor func test() async throws {
        let bench = try await Bench()
        defer { bench.stop() }
        try await bench.settle { bench.link.session.count != nil }
        bench.link.handleAttentionEvent(.mode(.off))
        bench.link.handleAttentionEvent(.test(60))
        try await bench.settle { bench.relay.connected.count == 1 }
        try await bench.settle { bench.isOpen }
        bench.relay.store(#"{"message":"one"}"#, for: bench.token)
        let deadline = SystemClock.now().uptime + Patience.moment
        while bench.pushed.isEmpty, SystemClock.now().uptime < deadline { await Watch.pause(0.001) }
        bench.link.handleAttentionEvent(.test(0))
        #expect(bench.link.session.state == .resting)
        await Watch.pause(0.05)
        #expect(bench.relay.acknowledged.count == 1 && bench.relay.connected.isEmpty)
    }

    @Test("A test connects at once, whatever peace the relay asked for")
    @LoopActor func testInPeace() async throws {
        let bench = try await Bench()
        defer { bench.stop() }
        try await bench.settle { bench.isOpen }
        bench.relay.drain(600)
        try await bench.settle { !bench.isOpen }
        bench.link.handleAttentionEvent(.test(60))
        let begun = bench.clock.now().uptime
        try await bench.settle { bench.isOpen }
        #expect(bench.clock.now().uptime - begun < 60)
    }

    @Test("Before sleep what came is written and acknowledged, and the socket closed, at once")
    @LoopActor func sleep() async throws {
        let bench = try await Bench()
        defer { bench.stop() }
        try await bench.settle { bench.link.session.count != nil }
        bench.relay.store(#"{"message":"one"}"#, for: bench.token)
        let deadline = SystemClock.now().uptime + Patience.moment
        while bench.pushed.isEmpty, SystemClock.now().uptime < deadline { await Watch.pause(0.001) }
        #expect(bench.writes == 0)
        bench.link.handleAttentionEvent(.sleep)
        #expect(bench.writes == 1 && bench.link.session.state == .resting)
        await Watch.pause(0.05)
        #expect(bench.relay.acknowledged.count == 1 && bench.relay.connected.isEmpty)
    }

    @Test(
        "What waits since before the relay lost its keys opens, also after another token has come")
    @LoopActor func formerKeys() async throws {
        let relay = try PlayedRelay()
        let (clock, client) = (VirtualClock(), HTTPClient(userAgent: "Homing/test"))
        defer { client.shutdown() }
        let pair = try KeyPair()
        let request = JoinRequest(publicKey: pair.publicKey, code: nil)
        var grants: [Grant] = []
        for round in 0..<2 {
            let answer = try await RelayClient(over: client).join(request, at: relay.url).get()
            grants.append(try ParcelOpener(pair: pair).grant(answer.sealed))
            guard round == 0 else { continue }
            relay.store(#"{"message":"waits"}"#, for: grants[0].token.text)
            try relay.loseKeys()
        }
        let openers = grants.map {
            ParcelOpener(pair: pair, parcelKeys: [$0.token.keyID: $0.parcelKey])
        }
        var mailbox = RelayLink.Mailbox(
            url: relay.url, token: grants[1].token.text, opener: openers[1],
            id: MailboxID(of: pair.publicKey))
        let renewed = mailbox
        mailbox.formerOpener = openers[0]
        var pushed = 0
        let link = RelayLink(
            mailbox, over: client,
            attention: RelayAttention(.hold, channel: .failing, at: clock.now()), seed: 1,
            seen: SeenMessages(), clock: clock, keep: { _ in true }
        ) { if case .push = $0 { pushed += 1 } }
        defer { link.shutdown() }
        link.use(renewed)
        link.start()
        let deadline = SystemClock.now().uptime + Patience.moment
        while pushed == 0 {
            try #require(SystemClock.now().uptime < deadline, "it did not come")
            clock.pass(0.02)
            await Watch.pause(0.001)
        }
        #expect(link.counts.refused == 0)
    }

    @Test("Every word that describes it is without token, key and content")
    @LoopActor func untold() async throws {
        let bench = try await Bench()
        defer { bench.stop() }
        bench.relay.store(#"{"message":"hidden"}"#, for: bench.token)
        try await bench.settle { bench.pushed.count == 1 }
        let words = bench.events.map { String(reflecting: $0) }.joined()
        #expect(!words.contains("hidden") && !words.contains(bench.token))
        #expect(!words.isEmpty)
    }
}
