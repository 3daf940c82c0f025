import HomingBase
import HomingCrypto
import HomingRelayProtocol
import HomingTestKit
import Testing

@testable import HomingRelay

/// Each step of a device's socket.
@Suite("A device's session")
struct DeviceSessionTests {
    private typealias Effect = DeviceSession.Effect

    private let played: Played
    private let challenge: Challenge
    private var session: DeviceSession
    private let proof: [UInt8]
    private let deposits = Deposits()
    private let count = DayCount(maximum: 150, resetsAt: noon)

    init() throws {
        played = try Played(generation: 3)
        challenge = try played.sealer.challenge(for: played.token, at: 1)
        proof = try played.opener.proof(of: challenge.sealed)
        session = DeviceSession(played.token, isOld: false, challenge: challenge)
    }

    private mutating func take(_ event: DeviceSession.Event, at now: Seconds = 1) -> [Effect] {
        session.take(event, at: now)
    }

    private func mailbox(generation: UInt16 = 3, waiting: Int = 0) -> OpenMailbox {
        OpenMailbox(generation: generation, waiting: waiting, count: count)
    }

    private func messages(_ number: Int) -> [StoredMessage] {
        (0..<number).map { _ in
            let deposit = deposits.next()
            return StoredMessage(id: deposit.id, parcel: deposit.parcel)
        }
    }

    private static func refused(_ refusal: RelayRefusal) -> [Effect] {
        [.send(.refused(refusal)), .close(1008)]
    }

    /// Gets the session to where it delivers.
    private mutating func open() {
        _ = take(.frame(.proof(proof)))
        _ = take(.opened(.success(.open(mailbox()))))
        _ = take(.loaded(.success(LoadedMessages())))
    }

    @Test("opens the mailbox for who proves the key, attends to it, and looks what waits")
    mutating func opening() {
        let proven = take(.frame(.proof(proof)))
        let opened = take(.opened(.success(.open(mailbox(waiting: 2)))))
        let messages = messages(2)
        let loaded = take(.loaded(.success(LoadedMessages(messages: messages))))
        #expect(proven == [.open(generation: 3)])
        #expect(
            opened == [
                .ready(mailbox(waiting: 2), renews: false), .attend,
                .load(except: [], limit: 32, bytes: 512 << 10),
            ])
        #expect(loaded == messages.map { .deliver($0) })
    }

    @Test("ends with a wrong proof, without one, and with anything before it")
    mutating func noProof() {
        let frames: [(RelayFrame?, RelayRefusal)] = [
            (.proof(Array(repeating: 1, count: 32)), .wrongProof), (.revoke, .wrongFrame),
            (.acknowledge([deposits.next().id]), .wrongFrame), (nil, .wrongFrame),
            (.hello(version: 1, now: 1, challenge: []), .wrongFrame),
        ]
        for (frame, refusal) in frames {
            var fresh = session
            let effects = fresh.take(.frame(frame), at: 1)
            let after = fresh.take(.frame(.proof(proof)), at: 1)
            #expect(effects == Self.refused(refusal))
            #expect(after.isEmpty)
        }
        var (fresh, proven) = (session, session)
        let late = fresh.take(.deadline, at: 11)
        _ = proven.take(.frame(.proof(proof)), at: 10)
        let inTime = proven.take(.deadline, at: 11)
        #expect(late == Self.refused(.tooSlow) && inTime.isEmpty)
    }

    @Test("takes a proof once, and passes over what it does not know")
    mutating func again() {
        open()
        let unknown = take(.frame(.unknown))
        let second = take(.frame(.proof(proof)))
        #expect(unknown.isEmpty && second == Self.refused(.wrongFrame))
    }

    @Test("ends where the mailbox is blocked, then or later, and where the store fails")
    mutating func refusal() {
        var others = [session, session, session]
        for index in others.indices { _ = others[index].take(.frame(.proof(proof)), at: 1) }
        let blocked = others[0].take(.opened(.success(.blocked)), at: 1)
        let failed = others[1].take(.opened(.failure(.overloaded)), at: 1)
        _ = others[2].take(.opened(.success(.open(mailbox()))), at: 1)
        let later = others[2].take(.blocked, at: 1)
        #expect(blocked == Self.refused(.blocked) && later == Self.refused(.blocked))
        #expect(
            failed == [
                .send(.bye(seconds: 5, why: RelayRefusal.overloaded.description)), .close(1001),
            ]
        )
    }

    @Test("gives a new token where the present one was revoked, or its key is being replaced")
    mutating func renewal() {
        var old = DeviceSession(played.token, isOld: true, challenge: challenge)
        _ = old.take(.frame(.proof(proof)), at: 1)
        let replaced = old.take(.opened(.success(.open(mailbox()))), at: 1)
        _ = take(.frame(.proof(proof)))
        let revoked = take(.opened(.success(.open(mailbox(generation: 5)))))
        #expect(replaced.first == .ready(mailbox(), renews: true))
        #expect(revoked.first == .ready(mailbox(generation: 5), renews: true))
    }

    @Test("revokes the token when the device says so, a few times")
    mutating func revoking() {
        open()
        let asked = take(.frame(.revoke))
        let twice = take(.frame(.revoke))
        let raised = take(.raised(.success(4)))
        let ready = take(.opened(.success(.open(mailbox(generation: 4)))))
        #expect(asked == [.raise(above: 3)] && twice.isEmpty)
        #expect(raised == [.open(generation: 4)])
        #expect(ready == [.ready(mailbox(generation: 4), renews: true)])
        var last: [Effect] = []
        for generation in UInt16(5)..<13 {
            last = take(.frame(.revoke))
            _ = take(.raised(.success(generation)))
        }
        #expect(last == Self.refused(.tooFast))
    }

    @Test("has at most 32 messages under way, and sends the next for each that is acknowledged")
    mutating func window() throws {
        _ = take(.frame(.proof(proof)))
        _ = take(.opened(.success(.open(mailbox()))))
        let all = messages(40)
        let first = take(
            .loaded(.success(LoadedMessages(messages: Array(all[..<32]), isMoreLeft: true))))
        #expect(first == all[..<32].map { .deliver($0) })
        let woken = take(.wake)
        let ids = all[..<3].map(\.id)
        let acknowledged = take(.frame(.acknowledge(ids + ids)))
        #expect(woken.isEmpty && acknowledged == [.acknowledge(ids)])
        let next = take(.acknowledged(ids, isDone: true))
        #expect(
            next == [.load(except: Set(all[3..<32].map(\.id)), limit: 3, bytes: (512 << 10) - 2900)]
        )
        let more = take(
            .loaded(.success(LoadedMessages(messages: Array(all[32..<35]), isMoreLeft: true))))
        #expect(more == all[32..<35].map { .deliver($0) })
        #expect(session.messagesUnderWay == 32)
    }

    @Test("has no more bytes under way than wait for a device that does not read")
    mutating func bytes() {
        _ = take(.frame(.proof(proof)))
        _ = take(.opened(.success(.open(mailbox()))))
        let large = (0..<8).map { _ in
            let deposit = deposits.next(size: 66 << 10)
            return StoredMessage(id: deposit.id, parcel: deposit.parcel)
        }
        let full = take(.loaded(.success(LoadedMessages(messages: large, isMoreLeft: true))))
        _ = take(.frame(.acknowledge([large[0].id])))
        let next = take(.acknowledged([large[0].id], isDone: true))
        #expect(full == large.map { .deliver($0) })
        #expect(next == [.load(except: Set(large[1...].map(\.id)), limit: 25, bytes: 50 << 10)])
    }

    @Test("acknowledges nothing that it has not sent")
    mutating func foreign() {
        open()
        let ids = messages(3).map(\.id)
        let effects = take(.frame(.acknowledge(ids)))
        #expect(effects.isEmpty)
    }

    @Test("looks again when it was woken while it looked")
    mutating func wake() {
        open()
        let first = take(.wake)
        let second = take(.wake)
        let message = messages(1)
        let loaded = take(.loaded(.success(LoadedMessages(messages: message))))
        let then = take(.loaded(.success(LoadedMessages())))
        #expect(first == [.load(except: [], limit: 32, bytes: 512 << 10)] && second.isEmpty)
        #expect(
            loaded == [
                .deliver(message[0]),
                .load(except: [message[0].id], limit: 31, bytes: (512 << 10) - 100),
            ])
        #expect(then.isEmpty)
    }

    @Test("tries again at the next look what the store could not do")
    mutating func failures() {
        open()
        _ = take(.wake)
        let failure = StoreFailure(.failed, "no disk")
        let failed = take(.loaded(.failure(failure)))
        let look = take(.look)
        let message = messages(1)
        _ = take(.loaded(.success(LoadedMessages(messages: message))))
        _ = take(.frame(.acknowledge([message[0].id])))
        let undone = take(.acknowledged([message[0].id], isDone: false))
        // It is not sent again meanwhile.
        let woken = take(.wake)
        let again = take(.look)
        #expect(failed.isEmpty && look == [.load(except: [], limit: 32, bytes: 512 << 10)])
        #expect(
            undone.isEmpty
                && woken == [.load(except: [message[0].id], limit: 32, bytes: 512 << 10)])
        #expect(again == [.acknowledge([message[0].id])])
    }

    @Test("sends on while the store cannot delete, within a bound, and deletes later what it owes")
    mutating func fullDisk() {
        open()
        var delivered = 0
        _ = take(.wake)
        while case let some = messages(32), delivered < 1000 {
            let loaded = take(.loaded(.success(LoadedMessages(messages: some, isMoreLeft: true))))
            delivered += loaded.filter { if case .deliver = $0 { true } else { false } }.count
            let ids = some.map(\.id)
            _ = take(.frame(.acknowledge(ids)))
            guard take(.acknowledged(ids, isDone: false)).count == 1 else { break }
        }
        #expect(delivered == DeviceSession.owedLimit && session.messagesUnderWay == 0)
        var settled = 0
        var next = take(.look)
        while case .acknowledge(let ids)? = next.first, settled < 1000 {
            settled += ids.count
            next = take(.acknowledged(ids, isDone: true))
        }
        #expect(settled == delivered)
    }

    @Test("has a notice left of dropped messages, one at a time")
    mutating func dropped() {
        open()
        _ = take(.wake)
        let told = take(.loaded(.success(LoadedMessages(untold: 2, told: 5))))
        _ = take(.wake)
        let again = take(.loaded(.success(LoadedMessages(untold: 2, told: 5))))
        _ = take(.told)
        _ = take(.wake)
        let later = take(.loaded(.success(LoadedMessages(untold: 1, told: 0))))
        #expect(told == [.tellDropped(7)] && again.isEmpty && later == [.tellDropped(1)])
    }

    @Test("does not tell of the same losses again by a load that began before the notice was left")
    mutating func staleLoad() {
        open()
        _ = take(.wake)
        let told = take(.loaded(.success(LoadedMessages(untold: 7))))
        let asked = take(.wake)
        _ = take(.told)
        let stale = take(.loaded(.success(LoadedMessages(untold: 7))))
        let fresh = take(.loaded(.success(LoadedMessages(untold: 2, told: 7))))
        #expect(told == [.tellDropped(7)])
        #expect(asked == stale && stale == [.load(except: [], limit: 32, bytes: 512 << 10)])
        #expect(fresh == [.tellDropped(9)])
    }

    @Test("ends for a device that sends frames without end, and for nobody slower")
    mutating func pace() {
        open()
        var ends = 0
        for number in 0..<1000 {
            ends += take(.frame(.unknown), at: 10 + Double(number) / 90).count
        }
        let last = (0..<101).map { _ in take(.frame(.unknown), at: 30) }
        #expect(ends == 0)
        #expect(last.map(\.count) == Array(repeating: 0, count: 100) + [2])
        #expect(last.last == Self.refused(.tooFast))
    }

    @Test("says when to come back, and nothing afterwards")
    mutating func farewell() {
        open()
        let bye = take(.farewell(seconds: 20, why: "restart"))
        let events: [DeviceSession.Event] = [
            .wake, .look, .frame(.unknown), .deadline, .told, .blocked, .gone,
            .loaded(.success(LoadedMessages(messages: messages(1)))),
        ]
        var after: [Effect] = []
        for event in events { after += take(event) }
        #expect(bye == [.send(.bye(seconds: 20, why: "restart")), .close(1001)])
        #expect(after.isEmpty)
    }
}
