import HomingBase
import HomingRelayProtocol
import Testing

@testable import HomingPush

/// The device's end of the relay's protocol, step by step.
@Suite struct RelaySessionTests {
    /// A session with an exact clock.
    private struct Bench {
        var session = RelaySession(seed: 7)
        var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
        private var ids = MessageIDs()

        @discardableResult
        mutating func tellSession(_ event: RelaySession.Event) -> [RelaySession.Effect] {
            session.handle(event, at: now)
        }

        mutating func pass(_ seconds: Seconds) { now = now.advanced(by: seconds) }

        /// Goes to the next wake. What is wanted then, and after how many seconds.
        mutating func awake() -> (effects: [RelaySession.Effect], after: Seconds) {
            guard let time = session.nextWake else { return ([], .infinity) }
            let after = time - now.uptime
            pass(after)
            return (tellSession(.wake), after)
        }

        mutating func id() -> MessageID { ids.next(at: 1_800_000_000_000) }

        /// A connection on which the relay is ready.
        static func open(_ wish: RelayAttention.Wish = .hold, waiting: Int = 0) -> Bench {
            var bench = Bench()
            bench.tellSession(.wish(wish))
            bench.tellSession(.opened)
            bench.tellSession(.received(hello))
            bench.tellSession(.proof(proof))
            bench.tellSession(.received(ready(waiting)))
            return bench
        }
    }

    private static let proof = [UInt8](repeating: 1, count: Challenge.proofSize)
    private static let hello = RelayFrame.hello(
        version: RelayFrame.version, now: 1_800_000_000_000, challenge: [9])

    private static func ready(
        _ waiting: Int, renewal: [UInt8]? = nil, resetsAt: Int64 = 0
    ) -> RelayFrame {
        .ready(
            waiting: waiting,
            count: DayCount(notifications: 3, maximum: 150, resetsAt: resetsAt),
            renewal: renewal)
    }

    private static func message(_ id: MessageID) -> RelaySession.Event {
        .received(.message(id: id, now: 1_800_000_000_000, parcel: [1]))
    }

    @Test("It connects when that is wanted, proves whose mailbox it is, and takes what comes")
    func opens() {
        var bench = Bench()
        #expect(bench.tellSession(.wish(.hold)) == [.open])
        #expect(bench.tellSession(.opened) == [])
        #expect(bench.tellSession(.received(Self.hello)) == [.prove(challenge: [9])])
        #expect(bench.tellSession(.proof(Self.proof)) == [.send(.proof(Self.proof))])
        #expect(bench.tellSession(.received(Self.ready(1))) == [])
        #expect(bench.session.state == .open(since: 1000))
        #expect(bench.session.count?.notifications == 3)
        let id = bench.id()
        #expect(
            bench.tellSession(Self.message(id)) == [.take(id, now: 1_800_000_000_000, parcel: [1])])
        #expect(bench.tellSession(.taken([id])) == [.send(.acknowledge([id])), .looked])
    }

    @Test("A person who waits is not made to wait for the peace that the relay asked for")
    func insists() {
        var bench = Bench.open()
        #expect(bench.tellSession(.received(.refused(.blocked))).contains(.close))
        guard case .waiting(let until) = bench.session.state else { return #expect(Bool(false)) }
        #expect(until > bench.now.uptime + 300)
        #expect(bench.tellSession(.afresh) == [], "another network does not end the peace")
        #expect(bench.tellSession(.insist) == [.open])
        #expect(bench.tellSession(.insist) == [], "once")
        // Where no connection was wanted, the next wish is followed at once.
        var resting = Bench.open(.look)
        resting.tellSession(.received(.bye(seconds: 600, why: "")))
        resting.tellSession(.wish(.none))
        #expect(resting.tellSession(.insist) == [] && resting.tellSession(.wish(.hold)) == [.open])
        var open = Bench.open()
        #expect(open.tellSession(.insist) == [])
        #expect(open.session.state == .open(since: 1000))
    }

    @Test("Nothing is acknowledged before it is taken, and 32 at most at once")
    func acknowledges() {
        var bench = Bench.open()
        let ids = (0..<40).map { _ in bench.id() }
        for id in ids { #expect(bench.tellSession(Self.message(id)).count == 1) }
        let effects = bench.tellSession(.taken(ids))
        #expect(
            effects == [
                .send(.acknowledge(Array(ids[..<32]))), .send(.acknowledge(Array(ids[32...]))),
            ])
        #expect(bench.tellSession(.taken(ids)) == [], "once")
    }

    @Test("A connection brings one other token, and another one only after a revocation")
    func renewals() {
        var bench = Bench.open()
        #expect(bench.tellSession(.received(Self.ready(0, renewal: [1]))) == [.renew([1])])
        for number in 2...100 {
            #expect(bench.tellSession(.received(Self.ready(0, renewal: [UInt8(number)]))) == [])
        }
        bench.tellSession(.revoke)
        #expect(
            bench.tellSession(.received(Self.ready(0, renewal: [9]))) == [.renew([9]), .revoked])
    }

    @Test(
        "The day's count has an age, and ends at the relay's midnight, whatever this machine's clock says"
    )
    func dayCount() throws {
        var bench = Bench.open()
        let midnight: Int64 = 1_800_000_000_000 + 3_600_000
        bench.tellSession(.received(Self.ready(0, resetsAt: midnight)))
        bench.pass(600)
        let told = try #require(bench.session.dayCount(at: bench.now))
        #expect(told.count.notifications == 3 && told.age == 600)
        // Somebody sets the clock: neither the age nor the day follows.
        bench.now.unixTime += 86_400 * 365
        #expect(bench.session.dayCount(at: bench.now)?.age == 600)
        bench.now.unixTime = 0
        bench.pass(2999)
        #expect(bench.session.dayCount(at: bench.now)?.age == 3599)
        bench.pass(1)
        #expect(bench.session.dayCount(at: bench.now) == nil)
        bench.tellSession(.received(Self.ready(0, resetsAt: .max)))
        #expect(bench.session.dayCount(at: bench.now)?.age == 0)
    }

    @Test("A relay that does not wait for acknowledgements is left")
    func flood() {
        var bench = Bench.open()
        var effects: [RelaySession.Effect] = []
        for _ in 0...(2 * RelayFrame.window) {
            effects = bench.tellSession(Self.message(bench.id()))
        }
        #expect(effects.first == .close)
        guard case .waiting = bench.session.state else {
            Issue.record("\(bench.session.state)")
            return
        }
    }

    @Test("A look ends when what waited has come and is acknowledged")
    func look() {
        var bench = Bench.open(.look, waiting: 2)
        let (one, two) = (bench.id(), bench.id())
        bench.tellSession(Self.message(one))
        #expect(bench.tellSession(.taken([one])) == [.send(.acknowledge([one]))])
        bench.tellSession(Self.message(two))
        #expect(bench.tellSession(.taken([two])).contains(.looked))
        #expect(bench.tellSession(.wish(.none)).first == .close)
        #expect(bench.session.state == .resting)
    }

    @Test("Where fewer come than waited, a look ends after a lull")
    func lull() {
        var bench = Bench.open(.look, waiting: 2)
        let id = bench.id()
        bench.tellSession(Self.message(id))
        #expect(bench.tellSession(.taken([id])) == [.send(.acknowledge([id]))])
        let (effects, after) = bench.awake()
        #expect(effects == [.looked] && after == RelaySession.lull)
    }

    @Test("A relay that says nothing for 30 s is left, at each step")
    func deadlines() {
        let steps: [[RelaySession.Event]] = [
            [], [.opened], [.opened, .received(Self.hello), .proof(Self.proof)],
        ]
        for events in steps {
            var bench = Bench()
            bench.tellSession(.wish(.hold))
            for event in events { bench.tellSession(event) }
            let (effects, after) = bench.awake()
            #expect(effects.first == .close && after == RelaySession.patience)
            #expect(bench.session.problem == "the relay does not answer")
        }
    }

    @Test("After four minutes of silence it asks, and 30 s later the connection is dead")
    func silence() {
        var bench = Bench.open()
        var (effects, after) = bench.awake()
        #expect(effects == [.ping] && after == 240)
        bench.pass(10)
        bench.tellSession(.heard)
        (effects, after) = bench.awake()
        #expect(effects == [.ping] && after == 240)
        (effects, after) = bench.awake()
        #expect(effects.first == .close && after == 30)
    }

    @Test(
        "The seconds of a farewell are respected, whatever is wanted meanwhile and on whichever network"
    )
    func bye() {
        var bench = Bench.open()
        #expect(bench.tellSession(.received(.bye(seconds: 40, why: ""))) == [.close, .failed])
        #expect(bench.session.state == .waiting(until: 1040))
        bench.tellSession(.wish(.none))
        bench.pass(10)
        #expect(bench.tellSession(.wish(.look)) == [])
        #expect(bench.tellSession(.afresh) == [])
        let (effects, after) = bench.awake()
        #expect(effects == [.open] && after == 30)
    }

    @Test("What fails is tried again later and later, with jitter; another network, at once")
    func backoff() {
        var bench = Bench()
        bench.tellSession(.wish(.hold))
        var waits: [Seconds] = []
        for _ in 0..<40 {
            bench.tellSession(.lost(.unreachable("no way")))
            let (effects, after) = bench.awake()
            #expect(effects == [.open])
            waits.append(after)
        }
        #expect(waits.allSatisfy { (1...300).contains($0) })
        #expect(Set(waits).count > 20)
        #expect((waits.max() ?? 0) > 60)
        bench.tellSession(.lost(.unreachable("no way")))
        #expect(bench.tellSession(.afresh) == [.open])
        #expect(bench.session.failingSince == 1000)
        bench.tellSession(.opened)
        bench.tellSession(.received(Self.hello))
        bench.tellSession(.proof(Self.proof))
        bench.tellSession(.received(Self.ready(0)))
        #expect(bench.session.failingSince == nil && bench.session.problem == nil)
    }

    @Test("A token that is refused is told, and not shown again for ten minutes on any network")
    func refused() {
        for (event, refusal) in [
            (RelaySession.Event.lost(.unauthorized("403")), RelayRefusal?.none),
            (.received(.refused(.revoked)), .revoked),
        ] {
            var bench = Bench()
            bench.tellSession(.wish(.hold))
            if refusal != nil { bench.tellSession(.opened) }
            #expect(bench.tellSession(event).last == .refused(refusal))
            #expect(bench.session.isTokenRefused)
            #expect(bench.tellSession(.afresh) == [])
            #expect(bench.awake().after >= 600)
        }
    }

    @Test("A challenge that is not by our relay is not answered")
    func foreign() {
        var bench = Bench()
        bench.tellSession(.wish(.hold))
        bench.tellSession(.opened)
        bench.tellSession(.received(Self.hello))
        #expect(bench.tellSession(.proof(nil)) == [.close, .failed, .refused(nil)])
    }

    @Test(
        "What is no frame, out of turn, or of another version ends the connection",
        arguments: [
            RelayFrame?.none,
            .ready(waiting: 0, count: DayCount(maximum: 0, resetsAt: 0), renewal: nil),
            .hello(version: 2, now: 0, challenge: []), .revoke,
        ])
    func violations(_ frame: RelayFrame?) {
        var bench = Bench()
        bench.tellSession(.wish(.hold))
        bench.tellSession(.opened)
        #expect(bench.tellSession(.received(frame)).first == .close)
    }

    @Test("A frame that is not known is passed over")
    func unknown() {
        var bench = Bench.open()
        #expect(bench.tellSession(.received(.unknown)) == [])
    }

    @Test("Another token is taken up, and a revocation is told when it is done")
    func renewal() {
        var bench = Bench.open()
        #expect(bench.tellSession(.received(Self.ready(0, renewal: [5]))) == [.renew([5])])
        #expect(bench.tellSession(.revoke) == [.send(.revoke)])
        #expect(
            bench.tellSession(.received(Self.ready(0, renewal: [6]))) == [.renew([6]), .revoked])
        var late = Bench()
        #expect(late.tellSession(.revoke) == [])
        late.tellSession(.wish(.hold))
        late.tellSession(.opened)
        late.tellSession(.received(Self.hello))
        late.tellSession(.proof(Self.proof))
        #expect(late.tellSession(.received(Self.ready(0))).contains(.send(.revoke)))
    }

    @Test("How far the relay's clock is from this machine's is known")
    func clock() {
        var bench = Bench()
        bench.now.unixTime -= 7200
        bench.tellSession(.wish(.hold))
        bench.tellSession(.opened)
        bench.tellSession(.received(Self.hello))
        #expect(bench.session.clockOffset == 7200)
    }
}
