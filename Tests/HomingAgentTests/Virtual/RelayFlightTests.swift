import Glibc
import HomeAssistantAPI
import HomingConfiguration
import HomingControl
import HomingCrypto
import HomingHealth
import HomingJSON
import HomingMachine
import HomingNotifications
import HomingRegistration
import HomingRelayProtocol
import HomingRuntime
import HomingSettings
import HomingTestKit
import Testing

@testable import HomingAgent
@testable import HomingPush

/// The device's end of a relay: the whole agent, real sockets and seals, on a virtual clock.
@Suite(.serialized) struct RelayFlightTests {
    init() { LoopThread.start() }

    /// An agent that has joined, and its relay.
    @LoopActor private func joined(
        push: PushMode = .off, mode: RelayMode = .hold, commands: [String] = [],
        registration: Registration? = nil
    ) async throws -> (flight: VirtualAgent, relay: PlayedRelay) {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent(
            registration: registration, push: push, relay: mode, relayCommands: commands)
        _ = try await join(flight, relay)
        return (flight, relay)
    }

    @LoopActor private func join(
        _ flight: VirtualAgent, _ relay: PlayedRelay, code: String? = nil, newKey: Bool = false
    ) async throws -> JoinRelayResult {
        try await flight.agent.home.joinRelay(
            .init(url: relay.url, code: code, newKey: newKey, overPlainHTTP: false), place: nil)
    }

    @LoopActor private func membership(_ flight: VirtualAgent) throws -> RelayMembership {
        try #require(flight.agent.home.relay.membership)
    }

    @LoopActor private func report(_ flight: VirtualAgent) throws -> StatusReport.Relay {
        try #require(flight.agent.status().homes.first?.push?.relay)
    }

    @LoopActor private func shown(_ flight: VirtualAgent) -> Int { flight.agent.desk.state.shown }

    @LoopActor private func isHeld(_ flight: VirtualAgent) -> Bool {
        flight.agent.home.relay.isOpen
    }

    /// Lets a little time pass until that is so.
    @LoopActor private func settle(
        _ flight: VirtualAgent, _ isSo: () throws -> Bool
    ) async throws {
        try await flight.turn {
            flight.clock.pass(0.02)
            return try isSo()
        }
    }

    /// Lets time pass in steps that are shorter than the session's patience.
    @LoopActor private func pass(
        _ flight: VirtualAgent, _ seconds: Seconds, by step: Seconds = 10
    ) async throws {
        try await rest(flight)
        for _ in 0..<Int(seconds / step) {
            flight.clock.pass(step)
            try await rest(flight)
        }
    }

    /// Waits for the answers that are on their way. Meanwhile the flight's time is no faster than the
    /// machine's, so a slow machine makes no answer late.
    @LoopActor private func rest(_ flight: VirtualAgent) async throws {
        try await flight.turn {
            if isQuiet(flight) { return true }
            flight.clock.pass(0.001)
            return isQuiet(flight)
        }
    }

    /// Whether neither the channel nor the relay waits for an answer.
    @LoopActor private func isQuiet(_ flight: VirtualAgent) -> Bool {
        let home = flight.agent.home
        if home.push.state.session?.deadline != nil { return false }
        let relay = home.relay.state
        guard let session = relay.session else { return true }
        return session.state != .connecting && !session.isWaitingForPong && !relay.isLooking
    }

    /// Lets time pass until the channel is open.
    @LoopActor private func open(_ flight: VirtualAgent) async throws {
        for _ in 0..<600 where !flight.agent.home.push.isOpen {
            try await pass(flight, 1, by: 1)
        }
        try #require(flight.agent.home.push.isOpen)
    }

    private static func body(_ message: String, webhook: String = "w", data: String = "{}")
        -> String
    {
        #"{"message":"\#(message)","data":\#(data),"registration_info":{"webhook_id":"\#(webhook)"}}"#
    }

    // MARK: Joining

    @Test(
        "To join makes a key pair, keeps what the relay gave for its owner alone, and tells Home Assistant"
    )
    @LoopActor func joins() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        var status = stat()
        #expect(stat(flight.file("relay.json"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        let kept = try membership(flight)
        #expect(kept.url == relay.url && kept.maximum == 150 && kept.name == "Played")
        let told = try #require(flight.home.told.last)
        #expect(told["push_url"]?.string == "\(relay.url)/v1/push")
        #expect(told["push_token"]?.string == kept.token)
        #expect(try report(flight).told)
        try await settle(flight) { isHeld(flight) }
        #expect(try report(flight).state == "held")
    }

    @Test("Joined again, the machine keeps its mailbox, unless another key is asked for")
    @LoopActor func again() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        let first = try membership(flight)
        #expect(try await join(flight, relay).keptKey)
        #expect(try membership(flight).secretKey == first.secretKey)
        try await settle(flight) { isHeld(flight) }
        #expect(try await other(flight, relay).keptKey == false)
        #expect(try membership(flight).secretKey != first.secretKey)
        #expect(flight.home.told.last?["push_token"]?.string != first.token)
    }

    /// Joins with another key: the token of before is revoked, which takes a moment.
    @LoopActor private func other(
        _ flight: VirtualAgent, _ relay: PlayedRelay
    ) async throws -> JoinRelayResult {
        var result: JoinRelayResult?
        spawn { result = try? await join(flight, relay, newKey: true) }
        try await settle(flight) { result != nil }
        return try #require(result)
    }

    @Test("Why a machine cannot join is said, with what to do")
    @LoopActor func refusals() async throws {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent()
        defer { flight.stop() }
        func failure(_ url: String? = nil, code: String? = nil) async throws -> ControlError {
            do throws(ControlError) {
                _ = try await flight.agent.home.joinRelay(
                    .init(url: url, code: code, newKey: false, overPlainHTTP: false), place: nil)
            } catch { return error }
            throw Unexpected()
        }
        relay.join = .code("right")
        #expect(try await failure(relay.url).message.contains("with a code only"))
        let wrong = try await failure(relay.url, code: "wrong")
        #expect(wrong.message.contains("wrong, was used before") && wrong.hint != nil)
        #expect(!"\(wrong)".contains("right"))
        relay.join = .closed
        #expect(try await failure(relay.url).message.contains("no more machines"))
        relay.status = 404
        let foreign = try await failure(relay.url)
        #expect(foreign.exitCode == .refused && foreign.message.contains("no Homing relay"))
        let away = try await failure("http://127.0.0.1:9")
        #expect(away.exitCode == .unavailable && away.message.contains("not reached"))
        #expect(try await failure(nil).exitCode == .usage)
        #expect(try await failure("ftp://x").exitCode == .usage)
        #expect(flight.agent.home.relay.membership == nil && flight.home.told.isEmpty)
    }

    private struct Unexpected: Error {}

    @Test("Over plain HTTP to another machine nothing is asked before somebody agrees")
    @LoopActor func plainHTTP() async throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        let result = try await flight.agent.home.joinRelay(
            .init(url: "http://192.0.2.1", code: nil, newKey: false, overPlainHTTP: false),
            place: nil)
        #expect(result.isUnconfirmed && result.host == "192.0.2.1")
    }

    @Test("A relay that the configuration names is not replaced; the error says where it is named")
    @LoopActor func configured() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        var configuration = Configuration()
        configuration.gpsd.enabled = false
        configuration.push.url = "https://other.example/push"
        flight.agent.reload(Configuration.table.loaded(configuration, first: "home"))
        #expect(try report(flight).state == "configured")
        do throws(ControlError) {
            _ = try await flight.agent.home.joinRelay(
                .init(url: relay.url, code: nil, newKey: false, overPlainHTTP: false),
                place: "/etc/homing/agent.conf:7")
            Issue.record("joined")
        } catch {
            #expect(error.exitCode == .configuration)
            #expect(error.message.contains("push.url (/etc/homing/agent.conf:7)"))
        }
    }

    @Test("A registration that others can read does not join: Home Assistant would not be told")
    @LoopActor func unsealed() async throws {
        let relay = try PlayedRelay()
        let flight = try VirtualAgent(
            registration: HomeRig.registration("http://homeassistant.local:8123", secret: nil))
        defer { flight.stop() }
        await #expect(throws: ControlError.self) { _ = try await join(flight, relay) }
        #expect(relay.joins == 0)
    }

    @Test("To leave revokes the token, tells Home Assistant, and leaves no file")
    @LoopActor func leaves() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        try await settle(flight) { isHeld(flight) }
        let token = try membership(flight).token
        relay.store(Self.body("one"), for: token)
        try await settle(flight) { shown(flight) == 1 }
        var result: LeaveRelayResult?
        spawn { result = try? await flight.agent.home.leaveRelay() }
        try await settle(flight) { result != nil }
        #expect(result?.isRevoked == true && result?.notTold == nil)
        #expect(flight.home.told.compactMap { $0["push_token"]?.string } == [token])
        #expect(flight.home.told.last?["push_url"] == nil)
        for name in ["relay.json", "relay-seen.json"] {
            #expect(access(flight.file(name), F_OK) != 0, "\(name)")
        }
        #expect(flight.agent.status().homes.first?.push?.relay == nil)
        try await settle(flight) { relay.connected.isEmpty }
    }

    @Test("A relay that is away is left all the same, and Home Assistant is told")
    @LoopActor func leavesAway() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        relay.status = 503
        relay.drop()
        var result: LeaveRelayResult?
        spawn { result = try? await flight.agent.home.leaveRelay() }
        try await settle(flight) { result != nil }
        #expect(result?.isRevoked == false && result?.notTold == nil)
        #expect(flight.agent.home.relay.membership == nil)
    }

    @Test(
        "A copy of a machine that becomes a device of its own leaves the relay to the other machine"
    )
    @LoopActor func copied() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        try await settle(flight) { isHeld(flight) }
        flight.agent.home.forgetCopiedRelay()
        #expect(flight.agent.home.relay.membership == nil)
        #expect(access(flight.file("relay.json"), F_OK) != 0)
        try await settle(flight) { relay.connected.isEmpty }
        let token = try #require(PushToken(relay.lastToken))
        #expect(relay.generation(of: token) == 0, "not revoked")
    }

    // MARK: Messages

    @Test(
        "What the relay brings is shown once, whatever acknowledgements are lost, and after a restart too"
    )
    @LoopActor func once() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        let token = try membership(flight).token
        relay.losesAcknowledgements = true
        for number in 0..<3 { relay.store(Self.body("m\(number)"), for: token) }
        try await settle(flight) { shown(flight) == 3 }
        relay.drop()
        for _ in 0..<400 where try report(flight).duplicates < 3 {
            flight.clock.pass(0.1)
            await Watch.pause(0.002)
        }
        #expect(try report(flight).duplicates == 3)
        // The last acknowledgements get lost, too.
        flight.clock.pass(0.1)
        await Watch.pause(0.05)
        try flight.restart()
        relay.losesAcknowledgements = false
        try await settle(flight) { relay.acknowledged.count == 3 }
        #expect(shown(flight) == 0)
        #expect(try report(flight).duplicates == 3)
        relay.store(Self.body("m3"), for: token)
        try await settle(flight) { shown(flight) == 1 }
    }

    @Test(
        "What is damaged, of another mailbox, under another id, or expired is refused, counted, and stands in no way"
    )
    @LoopActor func refuses() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        let token = try #require(PushToken(try membership(flight).token))
        let other = try #require(PushToken(try await strangersToken(relay)))
        relay.store(.push(Array(Self.body("strangers").utf8)), for: other)
        let strangers = relay.sealed(in: other.mailbox)[0]
        // Moved, damaged, invented, expired.
        relay.put(strangers.sealed, under: strangers.id, in: token.mailbox)
        var damaged = strangers.sealed
        damaged[80] ^= 1
        relay.put(damaged, in: token.mailbox)
        relay.put(Array("not sealed at all".utf8), in: token.mailbox)
        relay.store(Self.body("late"), for: token.text, age: 100, life: 50)
        try await settle(flight) { relay.acknowledged.count == 4 }
        #expect(try report(flight).refused == 4 && shown(flight) == 0)
        // Replayed under another id.
        relay.losesAcknowledgements = true
        relay.store(Self.body("good"), for: token.text)
        try await settle(flight) { shown(flight) == 1 }
        let good = relay.sealed(in: token.mailbox)[0]
        relay.losesAcknowledgements = false
        relay.put(good.sealed, in: token.mailbox)
        try await settle(flight) { try report(flight).refused == 5 }
        #expect(shown(flight) == 1)
        relay.store(Self.body("next"), for: token.text)
        try await settle(flight) { shown(flight) == 2 }
    }

    /// The token of another device.
    @LoopActor private func strangersToken(_ relay: PlayedRelay) async throws -> String {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        _ = try await join(flight, relay)
        return try membership(flight).token
    }

    @Test("What is for another registration, or no notification, is not taken, and counted")
    @LoopActor func foreign() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        let token = try membership(flight).token
        relay.store(Self.body("x", webhook: "another"), for: token)
        relay.store(#"{"registration_info":{"webhook_id":"w"}}"#, for: token)
        relay.store("[]", for: token)
        relay.store(#"{"now_playing":{}}"#, for: token)
        relay.store(#"{"registration_info":{"webhook_id":"another"}}"#, for: token)
        try await settle(flight) { try report(flight).refused == 4 }
        #expect(relay.acknowledged.count == 5 && shown(flight) == 0)
        #expect(
            try report(flight).others == 1, "a later Home Assistant posts more than notifications")
    }

    @Test("The doctor's question opens the mailbox, asks about the token, and posts nothing")
    @LoopActor func checked() async throws {
        let (flight, relay) = try await joined(mode: .off)
        defer { flight.stop() }
        let well = try await check(flight)
        #expect(well.problem == nil && well.steps.map(\.step) == [.connected, .checked])
        #expect(relay.posts == 0 && shown(flight) == 0)
        #expect(!isHeld(flight), "the connection was for the question")
        relay.status = 502
        relay.drop()
        #expect(try await check(flight).problem != nil)
    }

    @LoopActor private func check(_ flight: VirtualAgent) async throws -> TestRelayResult {
        var result: TestRelayResult?
        spawn { result = try? await flight.agent.home.checkRelay() }
        try await settle(flight) { result != nil }
        return try #require(result)
    }

    @Test("An order that came by the relay is refused, whatever [push] commands says, and counted")
    @LoopActor func orders() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        let token = try membership(flight).token
        flight.drive(for: 60)
        let before = flight.home.updates.positions.count
        relay.store(Self.body("request_location_update"), for: token)
        relay.store(Self.body("command_screen_lock"), for: token)
        try await settle(flight) { try report(flight).refusedOrders == 2 }
        #expect(flight.home.updates.positions.count == before)
    }

    @Test("An order that [push] relay_commands lists is carried out")
    @LoopActor func permitted() async throws {
        let (flight, relay) = try await joined(commands: ["request_location_update"])
        defer { flight.stop() }
        flight.drive(for: 60)
        flight.clock.pass(120)
        let watched = flight.observer.watched
        relay.store(Self.body("request_location_update"), for: try membership(flight).token)
        try await settle(flight) { flight.observer.watched > watched }
        #expect(try report(flight).refusedOrders == 0)
    }

    @Test("What the relay itself has to tell is shown")
    @LoopActor func notices() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        let token = try #require(PushToken(try membership(flight).token))
        relay.store(.notice(.limitReached(maximum: 150, resetsAt: 1_800_057_600_000)), for: token)
        relay.store(.notice(.dropped(3)), for: token)
        try await settle(flight) { shown(flight) == 2 }
        #expect(flight.agent.home.relay.state.counts.dropped == 3)
        let limit = PushMessage(.limitReached(maximum: 150, resetsAt: 1_800_057_600_000))
        #expect(limit.message.contains("150") && limit.message.contains("2027-01-16 00:00 UTC"))
        #expect(PushMessage(.dropped(1)).message.hasPrefix("1 notification was"))
    }

    @Test("A test goes the whole way, and is not shown; where the relay fails, it says where")
    @LoopActor func test() async throws {
        let (flight, relay) = try await joined(mode: .off)
        defer { flight.stop() }
        #expect(!isHeld(flight))
        let well = try await run(flight)
        #expect(well.problem == nil)
        #expect(well.steps.map(\.step) == [.connected, .accepted, .received])
        #expect(shown(flight) == 0)
        #expect(try await run(flight, isShown: true).problem == nil)
        try await settle(flight) { shown(flight) == 1 }
        #expect(!isHeld(flight), "the connection was for the test")
        relay.status = 502
        relay.drop()
        let broken = try await run(flight)
        #expect(broken.problem != nil && broken.steps.isEmpty && broken.hint != nil)
        let after = try report(flight)
        #expect(after.failingFor != nil && after.problem == broken.problem)
    }

    @LoopActor private func run(
        _ flight: VirtualAgent, isShown: Bool = false
    ) async throws -> TestRelayResult {
        var result: TestRelayResult?
        spawn { result = try? await flight.agent.home.testRelay(isShown: isShown) }
        try await settle(flight) { result != nil }
        return try #require(result)
    }

    // MARK: When

    @Test(
        "auto holds the relay while the channel fails, for two minutes after it opens, and then no more"
    )
    @LoopActor func holds() async throws {
        let channel = try PlayedChannel()
        let relay = try PlayedRelay()
        let flight = try VirtualAgent(
            registration: HomeRig.registration(channel.url), push: .always)
        defer { flight.stop() }
        flight.home.homeAssistant.cloudhookURL = nil
        flight.home.homeAssistant.remoteUIURL = nil
        _ = try await join(flight, relay)
        try await settle(flight) { isHeld(flight) }
        try await pass(flight, 1800)
        #expect(isHeld(flight) && relay.attempts == 1)
        channel.manner = .well
        try await open(flight)
        #expect(isHeld(flight))
        #expect(relay.attempts == 1, "the connection goes on")
        try await pass(flight, 100)
        #expect(isHeld(flight))
        try await pass(flight, 30)
        try await flight.turn { relay.connected.isEmpty }
        #expect(try report(flight).state == "resting")
    }

    @Test("At home, while the channel is open, the relay adds no wake-up of its own in six hours")
    @LoopActor func home() async throws {
        let (alone, without) = try await wakes(joined: false)
        let (looks, with) = try await wakes(joined: true)
        #expect(alone == 0 && (4...6).contains(looks), "one look an hour: \(looks)")
        #expect(with <= without && without > 6, "\(with) of \(without)")
    }

    /// Looks at a relay, and calls of the clock, in six hours at home.
    @LoopActor private func wakes(joined: Bool) async throws -> (looks: Int, calls: Int) {
        let channel = try PlayedChannel()
        let relay = try PlayedRelay()
        let flight = try VirtualAgent(
            registration: HomeRig.registration(channel.url), push: .always)
        defer { flight.stop() }
        flight.home.homeAssistant.cloudhookURL = nil
        flight.home.homeAssistant.remoteUIURL = nil
        channel.manner = .well
        if joined { _ = try await join(flight, relay) }
        try await open(flight)
        try await pass(flight, 300)
        let (attempts, count) = (relay.attempts, flight.clock.count)
        try await pass(flight, 6 * 3600)
        #expect(flight.agent.home.push.isOpen)
        return (relay.attempts - attempts, flight.clock.count - count)
    }

    @Test("auto looks where the channel is off, now and then, and when the machine wakes")
    @LoopActor func looks() async throws {
        let (flight, relay) = try await joined(mode: .auto)
        defer { flight.stop() }
        let token = try membership(flight).token
        try await settle(flight) { relay.attempts == 1 && relay.connected.isEmpty }
        relay.store(Self.body("one"), for: token)
        flight.clock.pass(850)
        #expect(relay.attempts == 1 && shown(flight) == 0)
        flight.clock.pass(300)
        try await settle(flight) { shown(flight) == 1 && relay.connected.isEmpty }
        #expect(relay.attempts == 2)
        relay.store(Self.body("two"), for: token)
        flight.agent.machine.observe(.sleep(.preparing))
        flight.clock.sleep(8 * 3600)
        await Watch.pause(0.05)
        #expect(relay.attempts == 2)
        flight.agent.machine.observe(.sleep(.awake))
        try await settle(flight) { shown(flight) == 2 && relay.connected.isEmpty }
        #expect(relay.attempts == 3)
    }

    // MARK: Faults

    @Test("A relay that lost its keys and takes everybody is joined again by itself")
    @LoopActor func rejoins() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        try await settle(flight) { isHeld(flight) }
        let first = try membership(flight)
        relay.status = 503
        relay.drop()
        relay.store(Self.body("waits"), for: first.token)
        try relay.loseKeys()
        relay.status = nil
        for _ in 0..<400 where try membership(flight).token == first.token {
            flight.clock.pass(0.2)
            await Watch.pause(0.003)
        }
        #expect(try membership(flight).secretKey == first.secretKey)
        try await settle(flight) { isHeld(flight) }
        try await settle(flight) { shown(flight) == 1 }
        try await settle(flight) {
            flight.home.told.last?["push_token"]?.string == (try membership(flight).token)
        }
        #expect(!flight.agent.home.warnings.isRaised(.relayRefused))
    }

    @Test(
        "One that wants a code is not: a person is told what to do, and it is not asked again and again"
    )
    @LoopActor func codeWanted() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        try await settle(flight) { isHeld(flight) }
        relay.join = .code("secret")
        try relay.loseKeys()
        relay.drop()
        try await settle(flight) { flight.agent.home.warnings.isRaised(.relayRefused) }
        try await settle(flight) { relay.joins == 2 }
        for _ in 0..<200 {
            flight.clock.pass(60)
            await Watch.pause(0.002)
        }
        #expect(relay.joins == 2, "once a day")
        #expect((10...25).contains(relay.attempts), "\(relay.attempts)")
        _ = try await join(flight, relay, code: "secret")
        try await settle(flight) { isHeld(flight) }
        #expect(!flight.agent.home.warnings.isRaised(.relayRefused))
    }

    @Test(
        "When the relay replaces its keys, the new token is kept and told, and what waits is still read"
    )
    @LoopActor func rotation() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        try await settle(flight) { isHeld(flight) }
        let first = try membership(flight).token
        try relay.rotate()
        relay.store(Self.body("old"), for: first)
        relay.drop()
        try await settle(flight) { try membership(flight).token != first }
        let second = try membership(flight).token
        relay.store(Self.body("new"), for: second)
        try await settle(flight) { shown(flight) == 2 }
        try await settle(flight) { flight.home.told.last?["push_token"]?.string == second }
        #expect(try report(flight).refused == 0)
    }

    @Test("A relay that is away for an hour while it is needed is warned of")
    @LoopActor func unreachable() async throws {
        let (flight, relay) = try await joined()
        defer { flight.stop() }
        try await settle(flight) { isHeld(flight) }
        relay.status = 503
        relay.drop()
        try await pass(flight, 50 * 60)
        #expect(!flight.warnings.contains { $0.warnable == .relayUnreachable })
        try await pass(flight, 20 * 60)
        #expect(flight.warnings.contains { $0.warnable == .relayUnreachable })
        relay.status = nil
        try await pass(flight, 10 * 60)
        #expect(!flight.warnings.contains { $0.warnable == .relayUnreachable })
        #expect(isHeld(flight))
    }

    @Test(
        "A file of ours that is damaged, or open to others, is warned of, and nothing is taken back from Home Assistant"
    )
    @LoopActor func damaged() async throws {
        let (flight, _) = try await joined()
        defer { flight.stop() }
        let told = flight.home.told.count
        let secret = try membership(flight).secretKey
        #expect(chmod(flight.file("relay.json"), 0o644) == 0)
        try flight.restart()
        #expect(flight.agent.home.warnings.isRaised(.relayUnusable))
        let kept = String(decoding: try AtomicFile.read(flight.file("relay.json")), as: UTF8.self)
        try AtomicFile.write(
            Array(kept.replacing(secret, with: "x").utf8), to: flight.file("relay.json"))
        try flight.restart()
        #expect(flight.agent.home.warnings.isRaised(.relayUnusable))
        flight.drive(for: 120)
        await Watch.pause(0.1)
        #expect(flight.home.told.count == told)
    }
}
