import Glibc
import HomingControl
import HomingCrypto
import HomingHealth
import HomingJSON
import HomingMachine
import HomingPush
import HomingRegistration
import HomingRelayProtocol
import HomingRuntime
import HomingSources
import HomingTestKit
import Testing

@testable import HomingAgent

/// Messages that come through a front, and the tokens of front and far relay: the whole agent.
@Suite(.serialized) struct FrontFlightTests {
    init() { LoopThread.start() }

    // MARK: Messages

    @Test(
        "What the far relay itself makes up as a notification is refused, and its notices are shown"
    )
    @LoopActor func forged() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        rig.far.store(FrontRig.body("forged"), for: try rig.farToken().text)
        try await rig.settle { rig.far.acknowledged.count == 1 }
        #expect(try rig.report().refused == 1 && rig.shown == 0)
        rig.far.store(.notice(.dropped(3)), for: try rig.farToken())
        try await rig.settle { rig.shown == 1 }
        rig.front.forward(.notice(.limitReached(maximum: 9, resetsAt: 0)), for: try rig.token())
        try await rig.settle { rig.shown == 2 }
        #expect(try rig.report().messages == 2)
    }

    @Test(
        "A box that the far relay brings again is shown once, under whatever id, and after a restart too"
    )
    @LoopActor func replayed() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let box = try rig.front.box(.push(Array(FrontRig.body("one").utf8)), for: try rig.token())
        for _ in 0..<3 { rig.far.store(.forwarded(box), for: try rig.farToken()) }
        try await rig.settle { rig.far.acknowledged.count == 3 }
        #expect(rig.shown == 1)
        #expect(try rig.report().duplicates == 2)
        try rig.flight.restart()
        try await rig.settle { rig.isHeld }
        rig.far.store(.forwarded(box), for: try rig.farToken())
        try await rig.settle { rig.far.acknowledged.count == 4 }
        #expect(rig.shown == 0)
        #expect(try rig.report().duplicates == 1)
        rig.front.forward(FrontRig.body("two"), for: try rig.token().text)
        try await rig.settle { rig.shown == 1 }
    }

    @Test("A box with another's signature, of another mailbox, changed or nested is refused")
    @LoopActor func strangeBoxes() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let (token, content) = (
            try rig.token(), Parcel.Content.push(Array(FrontRig.body("x").utf8))
        )
        let other = try TokenRing.random().signingKey
        let good = try rig.front.box(content, for: token)
        var changed = good.bytes
        changed[100] ^= 1
        let boxes = [
            try rig.front.box(content, for: token, signedWith: other),
            try rig.front.box(content, for: token, in: MailboxID(of: KeyPair().publicKey)),
            try #require(FrontBox(bytes: changed)), try rig.front.box(.forwarded(good), for: token),
        ]
        for box in boxes { rig.far.store(.forwarded(box), for: try rig.farToken()) }
        try await rig.settle { rig.far.acknowledged.count == boxes.count }
        #expect(try rig.report().refused == boxes.count && rig.shown == 0)
        rig.far.store(.forwarded(good), for: try rig.farToken())
        try await rig.settle { rig.shown == 1 }
    }

    @Test("A machine that has joined no front takes nothing that is forwarded")
    @LoopActor func noFront() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        try await rig.join(rig.far.url)
        try await rig.settle { rig.isHeld }
        let token = try rig.farToken()
        let box = try rig.front.box(.notice(.dropped(1)), for: strangersToken())
        rig.far.store(.forwarded(box), for: token)
        try await rig.settle { rig.far.acknowledged.count == 1 }
        #expect(try rig.report().refused == 1 && rig.shown == 0)
        #expect(try rig.report().messages == 0)
    }

    private func strangersToken() throws -> PushToken {
        let ring = try TokenRing.random()
        return try #require(ring.token(for: try KeyPair().publicKey, generation: 0))
    }

    @Test("The age is the far relay's word, whatever the front's clock says")
    @LoopActor func age() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        var ages: [Seconds] = []
        let link = try #require(RelayLink.Mailbox(try rig.joinedMembership()))
        let probe = RelayLink(
            link, over: rig.flight.agent.home.client,
            attention: RelayAttention(.hold, channel: .failing, at: rig.flight.clock.now()),
            seed: 1, seen: SeenMessages(), clock: rig.flight.clock, keep: { _ in true }
        ) { if case .push(_, let age) = $0 { ages.append(age) } }
        probe.start()
        defer { probe.shutdown() }
        // Both have the message then, whichever acknowledges it first.
        try await rig.settle { rig.far.connected.count == 2 }
        rig.front.forward(FrontRig.body("late"), for: try rig.token().text, age: 7200)
        try await rig.settle { !ages.isEmpty }
        #expect(ages == [7200])
    }

    @Test("An order that came through the front needs [push] relay_commands as any other does")
    @LoopActor func orders() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        rig.front.forward(FrontRig.body("command_screen_lock"), for: try rig.token().text)
        try await rig.settle { try rig.report().refusedOrders == 1 }
    }

    // MARK: Tokens

    @Test(
        "When the far relay replaces its keys, the front is told the new token, and Home Assistant nothing"
    )
    @LoopActor func farRotation() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let (first, told) = (try rig.joinedMembership(), rig.flight.home.told.count)
        rig.front.forward(FrontRig.body("old"), for: try rig.token().text)
        try rig.far.rotate()
        rig.far.drop()
        try await rig.settle { rig.membership?.token != first.token }
        try await rig.settle {
            try rig.front.farTokens[rig.token().mailbox] == rig.farToken()
        }
        rig.front.forward(FrontRig.body("new"), for: try rig.token().text)
        try await rig.settle { rig.shown == 2 }
        #expect(rig.membership?.front?.token == first.front?.token)
        #expect(rig.flight.home.told.count == told)
        try await rig.settle { try rig.report().front?.told == true }
    }

    @Test(
        "A front that is away is told later, if need be by the next run of the daemon")
    @LoopActor func frontAway() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        rig.front.status = 503
        let first = try rig.joinedMembership().token
        try rig.far.rotate()
        rig.far.drop()
        try await rig.settle { rig.membership?.token != first }
        try await rig.settle { try rig.report().front?.problem != nil }
        #expect(try rig.report().front?.told == false)
        await rig.pass(7200, every: 30)
        #expect(try rig.report().front?.told == false)
        #expect(!rig.flight.agent.home.warnings.isRaised(.relayRefused))
        // Also after a restart.
        try rig.flight.restart()
        await rig.pass(60, every: 10)
        #expect(try rig.report().front?.told == false)
        rig.front.status = nil
        await rig.pass(120, every: 10)
        try await rig.settle { try rig.report().front?.told == true }
        #expect(try rig.front.farTokens[rig.token().mailbox] == rig.farToken())
    }

    @Test(
        "Over plain HTTP a front is told on a home network only, and the status says so elsewhere")
    @LoopActor func foreignNetwork() async throws {
        let rig = try FrontRig()
        defer { rig.stop() }
        try await rig.join()
        // The same machine, by an address that is not known to be that.
        var elsewhere = try rig.joinedMembership()
        elsewhere.front?.url = rig.front.url.replacing("127.0.0.1", with: "[::ffff:127.0.0.1]")
        try rig.flight.agent.home.relay.join(elsewhere)
        try await rig.settle { rig.isHeld }
        let first = try rig.joinedMembership().token
        rig.flight.agent.machine.observe(Self.network(.wired(id: "Hotel", uuid: "2"), .full))
        try rig.far.rotate()
        rig.far.drop()
        await rig.pass(600, every: 10)
        try await rig.settle { rig.membership?.token != first }
        await rig.pass(7200, every: 60)
        #expect(rig.front.tellings == 1)
        #expect(try rig.report().front?.problem == "plain HTTP is used on a home network only")
        rig.flight.agent.machine.observe(.network(.unknown))
        await rig.pass(60, every: 10)
        try await rig.settle { rig.front.tellings == 2 }
        try await rig.settle { try rig.report().front?.told == true }
        #expect(try rig.report().front?.problem == nil)
    }

    private static func network(
        _ primary: PrimaryConnection?, _ connectivity: Connectivity
    ) -> Observation {
        .network(
            .known(
                NetworkState.Network(
                    primary: primary, connectivity: connectivity, metered: false)))
    }

    @Test(
        "When the front replaces its keys, a day later the new token is kept, and Home Assistant told"
    )
    @LoopActor func frontRotation() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let first = try rig.token()
        try rig.front.rotate()
        let tellings = rig.front.tellings
        rig.flight.drive(for: 3600)
        await Watch.pause(0.05)
        #expect(rig.front.tellings == tellings, "once a day")
        rig.front.forward(FrontRig.body("old"), for: first.text)
        rig.flight.clock.step(by: 86_400)
        rig.flight.drive()
        try await rig.settle { try rig.token() != first }
        try await rig.settle { rig.toldToken == rig.membership?.front?.token }
        rig.front.forward(FrontRig.body("older"), for: first.text)
        rig.front.forward(FrontRig.body("new"), for: try rig.token().text)
        try await rig.settle { rig.shown == 3 }
        #expect(try rig.report().refused == 0 && rig.front.tellings == tellings + 1)
        #expect(try rig.front.fingerprint == rig.report().front?.fingerprint)
    }

    @Test("A grant that the front did not seal is not taken as its next token")
    @LoopActor func forgedRenewal() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let first = try rig.joinedMembership()
        rig.front.otherRenewal = [UInt8](repeating: 7, count: 400)
        rig.flight.clock.pass(61)
        rig.flight.clock.step(by: 86_400)
        rig.flight.drive()
        try await rig.settle { rig.front.tellings == 2 }
        try await rig.settle { try rig.report().front?.problem != nil }
        #expect(rig.membership?.front?.token == first.front?.token)
    }

    @Test("A front that refuses the token is warned of")
    @LoopActor func frontRefuses() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        rig.front.refusal = .badToken
        rig.flight.clock.pass(61)
        rig.flight.clock.step(by: 86_400)
        rig.flight.drive()
        try await rig.settle { rig.flight.agent.home.warnings.isRaised(.relayRefused) }
        rig.front.refusal = nil
        rig.flight.clock.pass(3700)
        rig.flight.drive()
        try await rig.settle { !rig.flight.agent.home.warnings.isRaised(.relayRefused) }
    }

    @Test("A far relay that lost its keys is joined again by itself, and the front is told")
    @LoopActor func rejoins() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let (first, told) = (try rig.joinedMembership(), rig.flight.home.told.count)
        rig.far.pushURL = "https://elsewhere.example/v1/push"
        try rig.far.loseKeys()
        rig.far.drop()
        for _ in 0..<400 where rig.membership?.token == first.token {
            rig.flight.clock.pass(0.2)
            await Watch.pause(0.003)
        }
        #expect(rig.membership?.secretKey == first.secretKey)
        await rig.pass(120, every: 5)
        try await rig.settle {
            try rig.front.farTokens[rig.token().mailbox] == rig.farToken()
        }
        try await rig.settle { rig.isHeld }
        rig.front.forward(FrontRig.body("again"), for: try rig.token().text)
        try await rig.settle { rig.shown == 1 }
        #expect(rig.flight.home.told.count == told && rig.front.joins == 1)
        #expect(rig.membership?.relay == first.relay)
    }

    // MARK: Commands

    @Test("A test goes to the front, by the far relay, to this machine; away from home it says so")
    @LoopActor func test() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let home = rig.flight.agent.home
        let well = try await rig.run { () async throws(ControlError) in
            try await home.testRelay(isShown: false)
        }
        #expect(
            well.problem == nil && well.steps.map(\.step) == [.connected, .accepted, .received])
        #expect(rig.front.posts == 1 && rig.far.posts == 0 && rig.shown == 0)
        rig.front.status = 502
        let away = try await rig.run { () async throws(ControlError) in
            try await home.testRelay(isShown: false)
        }
        #expect(away.problem == "the front at 127.0.0.1 cannot be reached from here")
        #expect(away.hint == "run the test at home" && away.steps.map(\.step) == [.connected])
        let checked = try await rig.run { () async throws(ControlError) in
            try await home.checkRelay()
        }
        #expect(checked.problem == nil && checked.frontAway != nil)
        rig.front.status = nil
        let asked = try await rig.run { () async throws(ControlError) in
            try await home.checkRelay()
        }
        #expect(asked.problem == nil && asked.frontAway == nil)
        #expect(asked.steps.map(\.step) == [.connected, .checked])
    }

    @Test("A test takes the next token of a front that revoked one, and Home Assistant is told")
    @LoopActor func testRenews() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let (home, told) = (rig.flight.agent.home, rig.flight.home.told.count)
        rig.front.generation = 1
        let tested = try await rig.run { () async throws(ControlError) in
            try await home.testRelay(isShown: false)
        }
        #expect(tested.problem == nil && tested.steps.map(\.step).last == .received)
        #expect(try rig.token().generation == 1)
        rig.flight.drive()
        try await rig.settle { rig.flight.home.told.count > told }
        rig.front.refusal = .blocked
        rig.front.generation = 2
        let checked = try await rig.run { () async throws(ControlError) in
            try await home.checkRelay()
        }
        #expect(checked.problem != nil && !home.warnings.isRaised(.relayRefused), "it only asks")
        let refused = try await rig.run { () async throws(ControlError) in
            try await home.testRelay(isShown: false)
        }
        #expect(refused.problem == "the front no longer takes this machine's token")
        #expect(refused.hint?.contains("homing relay join URL CODE") == true)
        #expect(home.warnings.isRaised(.relayRefused))
    }

    @Test("To leave revokes the far token, and leaves nothing of the front")
    @LoopActor func leaves() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let token = try rig.farToken()
        let left = try await rig.run { () async throws(ControlError) in
            try await rig.flight.agent.home.leaveRelay()
        }
        #expect(left.isRevoked && rig.far.generation(of: token) == 1)
        #expect(rig.flight.home.told.last?["push_url"] == nil && rig.membership == nil)
        #expect(access(rig.flight.file("relay.json"), F_OK) != 0)
        let tellings = rig.front.tellings
        rig.flight.drive(for: 90_000, every: 3000)
        await Watch.pause(0.05)
        #expect(rig.front.tellings == tellings, "the front is told no more")
    }

    @Test("A file whose front's key is damaged is not worked with: nothing would be verified")
    @LoopActor func damagedKey() async throws {
        let rig = try await FrontRig.joined()
        defer { rig.stop() }
        let path = rig.flight.file("relay.json")
        let key = try #require(rig.membership?.front).verifyKey
        let text = String(decoding: try AtomicFile.read(path), as: UTF8.self)
        try AtomicFile.write(Array(text.replacing(key, with: "00").utf8), to: path)
        try rig.flight.restart()
        #expect(rig.flight.agent.home.warnings.isRaised(.relayUnusable) && rig.membership == nil)
    }
}
