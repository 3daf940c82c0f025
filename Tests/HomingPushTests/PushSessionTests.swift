import HomeAssistantAPI
import HomingBase
import HomingRoutes
import Testing

@testable import HomingPush

/// The push channel, step by step.
@Suite struct PushSessionTests {
    /// A session with an exact clock, and what it wanted last.
    private struct Bench {
        var session = PushSession(seed: 7)
        var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
        var wake: Seconds?

        @discardableResult
        mutating func tellPush(_ event: PushSession.Event) -> [PushSession.Effect] {
            let effects = session.handle(event, at: now)
            for case .wake(let time) in effects { wake = time }
            return effects.filter { if case .wake = $0 { false } else { true } }
        }

        mutating func pass(_ seconds: Seconds) { now = now.advanced(by: seconds) }

        /// Goes to the next wake. What is wanted then, and after how many seconds.
        mutating func awake() -> (effects: [PushSession.Effect], after: Seconds) {
            guard let time = wake else { return ([], .infinity) }
            let after = time - now.uptime
            pass(after)
            return (tellPush(.wake), after)
        }

        /// An open and subscribed channel.
        static func open() -> Bench {
            var bench = Bench()
            bench.tellPush(.endpoints(endpoints, networkChanged: true))
            bench.tellPush(.opened)
            bench.tellPush(.received(.authRequired))
            bench.tellPush(.received(.authOK(version: "2026.11.0")))
            bench.tellPush(.received(.done(id: 1)))
            return bench
        }
    }

    private static let instance = ChannelEndpoint(kind: .instance, url: "http://ha.local:8123")
    private static let remote = ChannelEndpoint(kind: .remoteUI, url: "https://x.ui.nabu.casa")
    private static let endpoints = [instance, remote]

    private static func push(_ id: String?, by channel: Int = 1) -> PushSession.Event {
        .received(.notification(subscription: channel, .confirmed(id)))
    }

    @Test("It opens the first endpoint, signs in when asked to, and subscribes")
    func opens() {
        var bench = Bench()
        #expect(
            bench.tellPush(.endpoints(Self.endpoints, networkChanged: true)) == [
                .open(Self.instance)
            ])
        #expect(bench.tellPush(.opened) == [])
        #expect(bench.tellPush(.received(.authRequired)) == [.send(.authenticate)])
        let effects = bench.tellPush(.received(.authOK(version: "2026.11.0")))
        #expect(effects == [.send(.subscribe(id: 1))])
        #expect(bench.tellPush(.received(.done(id: 1))) == [])
        #expect(bench.session.state == .open(since: 1000))
        #expect(bench.session.serverVersion == "2026.11.0")
    }

    @Test("A message is confirmed before it is shown; one that comes again is confirmed only")
    func confirms() {
        var bench = Bench.open()
        let show = PushSession.Effect.show(.confirmed("a"), .direct)
        #expect(bench.tellPush(Self.push("a")) == [.send(.confirm(id: 2, confirmID: "a")), show])
        #expect(bench.tellPush(Self.push("a")) == [.send(.confirm(id: 3, confirmID: "a"))])
        #expect(bench.session.duplicates == 1)
        #expect(bench.tellPush(.relayed(.confirmed("a"), .direct)) == [])
        #expect(
            bench.tellPush(.relayed(.confirmed("b"), .direct)) == [.show(.confirmed("b"), .direct)])
        #expect(bench.tellPush(Self.push("b")) == [.send(.confirm(id: 4, confirmID: "b"))])
    }

    @Test("A message without an id is shown and not confirmed")
    func withoutConfirm() {
        var bench = Bench.open()
        let show = [PushSession.Effect.show(.confirmed(nil), .direct)]
        #expect(bench.tellPush(Self.push(nil)) == show)
        #expect(bench.tellPush(Self.push(nil)) == show)
    }

    @Test("What was shown before a restart is not shown again after it")
    func restart() {
        var bench = Bench.open()
        bench.tellPush(Self.push("a"))
        var next = PushSession(seed: 8, remembered: bench.session.remembered)
        #expect(next.handle(.relayed(.confirmed("a"), .direct), at: bench.now) == [])
    }

    @Test(
        "What Home Assistant may hand to a relay is known: messages whose confirmation it did not take"
    )
    func unconfirmed() {
        var bench = Bench.open()
        bench.tellPush(Self.push("a"))
        bench.tellPush(Self.push("b"))
        #expect(bench.session.hasUnconfirmed)
        bench.tellPush(.received(.done(id: 2)))
        #expect(bench.session.hasUnconfirmed)
        bench.tellPush(.received(.done(id: 3)))
        #expect(!bench.session.hasUnconfirmed)
        bench.tellPush(Self.push("c"))
        // The socket takes the answer with it.
        bench.tellPush(.lost(.unreachable("gone")))
        #expect(bench.session.hasUnconfirmed)
        bench.session.noteKept()
        #expect(!bench.session.hasUnconfirmed)
    }

    @Test(
        "Each opening of a channel is counted, also one in place of a channel that Home Assistant closed"
    )
    func openings() {
        var bench = Bench.open()
        #expect(bench.session.openings == 1)
        bench.pass(60)
        bench.tellPush(Self.push("a"))
        bench.tellPush(.received(.refused(id: 2, code: "not_found")))
        bench.tellPush(.received(.done(id: 3)))
        #expect(bench.session.openings == 2)
        // The hourly subscription is none: nothing was unconfirmed.
        bench.pass(PushSession.resubscribeInterval)
        bench.tellPush(.wake)
        bench.tellPush(.received(.done(id: 4)))
        #expect(bench.session.openings == 2)
    }

    @Test(
        "A relayed message that carries another device's id is shown twice: Home Assistant gave it away"
    )
    func anothersID() {
        var bench = Bench.open()
        // A call to this device and to another one: the socket got the own id, which was not confirmed in
        // time, and the relay the id that the other device was given after that.
        #expect(bench.tellPush(Self.push("own")).contains(.show(.confirmed("own"), .direct)))
        let effects = bench.tellPush(.relayed(.confirmed("anothers"), .relay(age: 1)))
        #expect(effects == [.show(.confirmed("anothers"), .relay(age: 1))])
    }

    @Test("A confirmation that is not found means that the channel is gone: subscribe again")
    func channelGone() {
        var bench = Bench.open()
        bench.pass(60)
        bench.tellPush(Self.push("a"))
        let effects = bench.tellPush(.received(.refused(id: 2, code: "not_found")))
        #expect(effects == [.send(.subscribe(id: 3))])
        // What an older channel brought says nothing of the new one.
        bench.tellPush(.received(.done(id: 3)))
        bench.tellPush(Self.push("b", by: 1))
        #expect(bench.tellPush(.received(.refused(id: 4, code: "not_found"))) == [])
    }

    @Test("A server that finds no confirmation ever is subscribed to every 5 s at the most")
    func lyingServer() {
        var bench = Bench.open()
        var channel = 1
        var subscriptions = 0
        func answer(_ effects: [PushSession.Effect]) {
            for effect in effects {
                switch effect {
                case .send(.subscribe(let id)):
                    subscriptions += 1
                    channel = id
                    bench.tellPush(.received(.done(id: id)))
                case .send(.confirm(let id, _)):
                    answer(bench.tellPush(.received(.refused(id: id, code: "not_found"))))
                default: break
                }
            }
        }
        for tenth in 0..<600 {
            bench.pass(0.1)
            if let wake = bench.wake, bench.now.uptime >= wake { answer(bench.tellPush(.wake)) }
            answer(bench.tellPush(Self.push("\(tenth)", by: channel)))
        }
        #expect((11...12).contains(subscriptions))
    }

    @Test("It subscribes again every hour")
    func hourly() {
        var bench = Bench.open()
        for _ in 0..<59 {
            bench.pass(60)
            bench.tellPush(.heard)
        }
        let (effects, after) = bench.awake()
        #expect(effects == [.send(.subscribe(id: 2))])
        #expect(after == 60)
        #expect(bench.session.state == .open(since: 1000))
    }

    @Test("A server that says nothing is asked after 70 s, and given up 30 s later")
    func deadSocket() {
        var bench = Bench.open()
        var (effects, after) = bench.awake()
        #expect(effects == [.send(.ping(id: 2))])
        #expect(after == 70)
        (effects, after) = bench.awake()
        #expect(effects == [.close])
        #expect(after == 30)
        // The first try after a good channel comes within a second.
        (effects, after) = bench.awake()
        #expect(effects == [.open(Self.instance)])
        #expect(after <= 1)
    }

    @Test("A pong is as good as any word")
    func pong() {
        var bench = Bench.open()
        _ = bench.awake()
        bench.pass(5)
        bench.tellPush(.received(.pong(id: 2)))
        let (effects, after) = bench.awake()
        #expect(effects == [.send(.ping(id: 3))])
        #expect(after == 70)
    }

    @Test("A change of network and a resume open a new socket at once")
    func changes() {
        var bench = Bench.open()
        let again: [PushSession.Effect] = [.close, .open(Self.instance)]
        #expect(bench.tellPush(.endpoints(Self.endpoints, networkChanged: true)) == again)
        #expect(bench.tellPush(.resume) == again)
        #expect(bench.tellPush(.endpoints(Self.endpoints, networkChanged: false)) == [])
        #expect(
            bench.tellPush(.endpoints([Self.remote], networkChanged: false))
                == [.close, .open(Self.remote)])
    }

    @Test("It is closed before sleep, and nothing happens until the resume")
    func sleep() {
        var bench = Bench.open()
        #expect(bench.tellPush(.sleep) == [.close])
        #expect(bench.session.state == .asleep)
        #expect(bench.tellPush(.endpoints(Self.endpoints, networkChanged: true)) == [])
        #expect(bench.awake().effects == [])
        #expect(bench.tellPush(.resume) == [.open(Self.instance)])
    }

    @Test("Without an endpoint it is off")
    func off() {
        var bench = Bench.open()
        #expect(bench.tellPush(.endpoints([], networkChanged: false)) == [.close])
        #expect(bench.session.state == .off)
        #expect(
            bench.tellPush(.endpoints(Self.endpoints, networkChanged: false)) == [
                .open(Self.instance)
            ])
    }

    @Test(
        "An endpoint that fails is followed by the next, then by a wait that grows to five minutes")
    func walks() {
        var bench = Bench()
        bench.tellPush(.endpoints(Self.endpoints, networkChanged: true))
        var waits: [Seconds] = []
        for _ in 0..<200 {
            let next = bench.tellPush(.lost(.unreachable("no way")))
            #expect(next == [.open(Self.remote)])
            #expect(bench.tellPush(.lost(.unreachable("no way"))) == [])
            let (effects, after) = bench.awake()
            #expect(effects == [.open(Self.instance)])
            waits.append(after)
        }
        #expect(waits[0] <= 1)
        #expect(waits.max() ?? 0 > 200 && waits.max() ?? 0 <= 300)
    }

    /// A session that rests for minutes after ten walks that met a portal.
    private static func resting() -> Bench {
        var bench = Bench()
        bench.tellPush(.endpoints(Self.endpoints, networkChanged: true))
        for walk in 1...10 {
            bench.tellPush(.lost(.refused("a portal")))
            bench.tellPush(.lost(.refused("a portal")))
            if walk < 10 { _ = bench.awake() }
        }
        return bench
    }

    @Test(
        "When the courier gets through again, a channel that rests is tried at once, all endpoints")
    func reachable() {
        var bench = Self.resting()
        #expect(bench.wake ?? 0 > bench.now.uptime + 500)
        #expect(bench.tellPush(.reachable) == [.open(Self.instance)])
        #expect(bench.tellPush(.lost(.refused("not yet"))) == [.open(Self.remote)])
        #expect(bench.tellPush(.lost(.refused("not yet"))) == [])
        #expect(bench.awake().after > 500, "the pace goes on as before")
        var open = Bench.open()
        #expect(open.tellPush(.reachable) == [], "it is open")
        var idle = Bench()
        #expect(idle.tellPush(.reachable) == [], "there is no endpoint")
    }

    @Test("A walk during which the courier gets through is followed by another, and by one only")
    func reachableMeanwhile() {
        var bench = Self.resting()
        #expect(bench.awake().effects == [.open(Self.instance)])
        #expect(bench.tellPush(.reachable) == [])
        #expect(bench.tellPush(.lost(.unreachable("hung"))) == [.open(Self.remote)])
        #expect(bench.tellPush(.lost(.unreachable("hung"))) == [.open(Self.instance)])
        #expect(bench.tellPush(.lost(.unreachable("no"))) == [.open(Self.remote)])
        #expect(bench.tellPush(.lost(.unreachable("no"))) == [])
    }

    @Test("A channel that opened in that walk is not opened again for it")
    func reachableAndOpen() {
        var bench = Bench()
        bench.tellPush(.endpoints([Self.instance], networkChanged: true))
        bench.tellPush(.reachable)
        bench.tellPush(.opened)
        bench.tellPush(.received(.authRequired))
        bench.tellPush(.received(.authOK(version: "1")))
        bench.tellPush(.received(.done(id: 1)))
        bench.pass(600)
        #expect(bench.tellPush(.lost(.unreachable("cut"))) == [])
    }

    @Test("A subscription that waits is tried again, 5 s after the last one at the earliest")
    func reachableWhileSubscribing() {
        var bench = Bench()
        bench.tellPush(.endpoints(Self.endpoints, networkChanged: true))
        bench.tellPush(.opened)
        bench.tellPush(.received(.authRequired))
        bench.tellPush(.received(.authOK(version: "1")))
        for id in 1...6 {
            bench.tellPush(.received(.refused(id: id, code: "unknown_command")))
            if id < 6 { _ = bench.awake() }
        }
        #expect(bench.wake == bench.now.uptime + 70, "a beat comes before the next subscription")
        bench.pass(1)
        #expect(bench.tellPush(.reachable) == [])
        let (effects, after) = bench.awake()
        #expect(effects == [.send(.subscribe(id: 7))] && after == 4)
        bench.tellPush(.received(.refused(id: 7, code: "unknown_command")))
        bench.pass(6)
        #expect(bench.tellPush(.reachable) == [.send(.subscribe(id: 8))])
        // It was dead all the time.
        #expect(bench.awake().effects == [.close, .open(Self.remote)])
        #expect(bench.tellPush(.lost(.unreachable("no"))) == [.open(Self.instance)])
    }

    @Test("The rest after a refusal by authority lasts as long, though the courier gets through")
    func reachableWithoutToken() {
        var bench = Bench()
        bench.tellPush(.endpoints(Self.endpoints, networkChanged: true))
        bench.tellPush(.opened)
        bench.tellPush(.received(.authRequired))
        bench.tellPush(.reachable)
        bench.tellPush(.received(.authInvalid))
        #expect(bench.tellPush(.reachable) == [])
        #expect((600...900).contains(bench.awake().after))
        bench.tellPush(.lost(.unauthorized("a proxy's 401")))
        #expect(bench.tellPush(.reachable) == [], "the other endpoint is being tried")
        #expect(bench.tellPush(.lost(.unreachable("no way"))) == [])
        #expect(bench.tellPush(.reachable) == [])
        #expect(bench.awake().after >= 600)
    }

    @Test("A server that lets us in and hangs up each time is not asked without pause")
    func hangsUp() {
        var bench = Bench()
        bench.tellPush(.endpoints([Self.instance], networkChanged: true))
        var attempts = 0
        let end = bench.now.uptime + 3600
        while bench.now.uptime < end {
            attempts += 1
            bench.tellPush(.opened)
            bench.tellPush(.received(.authRequired))
            bench.tellPush(.received(.authOK(version: "1")))
            bench.tellPush(.received(.done(id: 1)))
            bench.tellPush(.lost(.unreachable("closed")))
            _ = bench.awake()
        }
        #expect((12...120).contains(attempts))
    }

    @Test(
        "A channel that has carried a message is opened again within a second, however short it was"
    )
    func carried() {
        var bench = Bench.open()
        for number in 0..<50 {
            bench.tellPush(Self.push("c\(number)"))
            bench.tellPush(.received(.done(id: 2)))
            bench.pass(1)
            bench.tellPush(.lost(.unreachable("cut")))
            let (effects, after) = bench.awake()
            #expect(effects == [.open(Self.instance)] && after <= 1)
            bench.tellPush(.opened)
            bench.tellPush(.received(.authRequired))
            bench.tellPush(.received(.authOK(version: "1")))
            bench.tellPush(.received(.done(id: 1)))
        }
    }

    @Test("Three refusals of the token, minutes apart, are the last")
    func tokenRefused() {
        var bench = Bench()
        bench.tellPush(.endpoints(Self.endpoints, networkChanged: true))
        for round in 1...3 {
            bench.tellPush(.opened)
            bench.tellPush(.received(.authRequired))
            #expect(bench.tellPush(.received(.authInvalid)) == [.close])
            if round < 3 {
                let (effects, after) = bench.awake()
                #expect(effects == [.open(Self.instance)])
                #expect((600...900).contains(after))
            }
        }
        #expect(bench.session.state == .stopped)
        #expect(bench.session.problem?.contains("nothing more is tried") == true)
        #expect(bench.tellPush(.endpoints(Self.endpoints, networkChanged: true)) == [])
        #expect(bench.tellPush(.resume) == [])
        #expect(bench.tellPush(.wake) == [])
    }

    @Test(
        "While Home Assistant starts it is asked again on the same socket, at the pace of refusals",
        arguments: ["not_found", "unknown_command"])
    func starting(code: String) {
        var bench = Bench()
        bench.tellPush(.endpoints(Self.endpoints, networkChanged: true))
        bench.tellPush(.opened)
        bench.tellPush(.received(.authRequired))
        bench.tellPush(.received(.authOK(version: "1")))
        for (id, wait) in [(1, 2.0), (2, 6), (3, 12)] {
            bench.tellPush(.received(.refused(id: id, code: code)))
            #expect(bench.session.state == .connecting)
            let (effects, after) = bench.awake()
            #expect(effects == [.send(.subscribe(id: id + 1))])
            #expect(after == wait)
        }
        bench.tellPush(.received(.done(id: 4)))
        #expect(bench.session.problem == nil)
        if case .open = bench.session.state {} else { Issue.record("\(bench.session.state)") }
    }

    @Test("A server that does not greet, let in or answer is given up after 30 s")
    func stalls() {
        let said: [[PushSession.Event]] = [
            [], [.opened], [.opened, .received(.authRequired)],
            [.opened, .received(.authRequired), .received(.authOK(version: "1"))],
        ]
        for events in said {
            var bench = Bench()
            bench.tellPush(.endpoints(Self.endpoints, networkChanged: true))
            for event in events { bench.tellPush(event) }
            let (effects, after) = bench.awake()
            #expect(effects == [.close, .open(Self.remote)])
            #expect(after == 30)
        }
    }

    @Test("Nobody is believed before the sign-in, and no message of a closed socket counts")
    func strangers() {
        var bench = Bench()
        bench.tellPush(.endpoints(Self.endpoints, networkChanged: true))
        bench.tellPush(.opened)
        #expect(bench.tellPush(Self.push("a")) == [])
        #expect(bench.tellPush(.received(.done(id: 1))) == [])
        #expect(bench.session.state == .connecting)
        bench.tellPush(.sleep)
        #expect(bench.tellPush(Self.push("a")) == [])
        #expect(bench.tellPush(.opened) == [])
        #expect(bench.tellPush(.lost(.unreachable(""))) == [])
    }

    @Test("Ids for others rise between its own, and there are none without a channel")
    func otherIDs() {
        var bench = Bench.open()
        #expect(bench.session.claimID() == 2)
        #expect(
            bench.tellPush(Self.push("a")).first == .send(.confirm(id: 3, confirmID: "a")))
        bench.tellPush(.sleep)
        #expect(bench.session.claimID() == nil)
    }

    @Test("What the mode permits")
    func modes() {
        #expect(PushMode.always.permits(isMetered: true))
        #expect(PushMode.unmetered.permits(isMetered: false))
        #expect(!PushMode.unmetered.permits(isMetered: true))
        #expect(!PushMode.off.permits(isMetered: false))
    }
}
