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

    private mutating func tellDevice(
        _ event: DeviceSession.Event, at now: Seconds = 1
    ) -> [Effect] {
        session.handleDeviceEvent(event, at: now)
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
        _ = tellDevice(.frame(.proof(proof)))
        _ = tellDevice(.opened(.success(.open(mailbox()))))
        _ = tellDevice(.loaded(.success(LoadedMessages())))
    }

    @Test("opens the mailbox for who proves the key, attends to it, and looks what waits")
    mutating func opening() {
        let proven = tellDevice(.frame(.proof(proof)))
        let opened = tellDevice(.opened(.success(.open(mailbox(waiting: 2)))))
        let messages = messages(2)
        let loaded = tellDevice(.loaded(.success(LoadedMessages(messages: messages))))
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
            let effects = fresh.handleDeviceEvent(.frame(frame), at: 1)
            let after = fresh.handleDeviceEvent(.frame(.proof(proof)), at: 1)
            #expect(effects == Self.refused(refusal))
            #expect(after.isEmpty)
        }
        var (fresh, proven) = (session, session)
        let late = fresh.handleDeviceEvent(.deadline, at: 11)
        _ = proven.handleDeviceEvent(.frame(.proof(proof)), at: 10)
        let inTime = proven.handleDeviceEvent(.deadline, at: 11)
        #expect(late == Self.refused(.tooSlow) && inTime.isEmpty)
    }

    @Test("takes a proof once, and passes over what it does not know")
    mutating func again() {
        open()
        let unknown = tellDevice(.frame(.unknown))
        let second = tellDevice(.frame(.proof(proof)))
        #expect(unknown.isEmpty && second == Self.refused(.wrongFrame))
    }

    @Test("ends where the mailbox is blocked, then or later, and where the store fails")
    mutating func refusal() {
        var others = [session, session, session]
        for index in others.indices {
            _ = others[index].handleDeviceEvent(.frame(.proof(proof)), at: 1)
        }
        let blocked = others[0].handleDeviceEvent(.opened(.success(.blocked)), at: 1)
        let failed = others[1].handleDeviceEvent(.opened(.failure(.overloaded)), at: 1)
        _ = others[2].handleDeviceEvent(.opened(.success(.open(mailbox()))), at: 1)
        let later = others[2].handleDeviceEvent(.blocked, at: 1)
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
        _ = old.handleDeviceEvent(.frame(.proof(proof)), at: 1)
        let replaced = old.handleDeviceEvent(.opened(.success(.open(mailbox()))), at: 1)
        _ = tellDevice(.frame(.proof(proof)))
        let revoked = tellDevice(.opened(.success(.open(mailbox(generation: 5)))))
        #expect(replaced.first == .ready(mailbox(), renews: true))
        #expect(revoked.first == .ready(mailbox(generation: 5), renews: true))
    }

    @Test("revokes the token when the device says so, a few times")
    mutating func revoking() {
        open()
        let asked = tellDevice(.frame(.revoke))
        let twice = tellDevice(.frame(.revoke))
        let raised = tellDevice(.raised(.success(4)))
        let ready = tellDevice(.opened(.success(.open(mailbox(generation: 4)))))
        #expect(asked == [.raise(above: 3)] && twice.isEmpty)
        #expect(raised == [.open(generation: 4)])
        #expect(ready == [.ready(mailbox(generation: 4), renews: true)])
        var last: [Effect] = []
        for generation in UInt16(5)..<13 {
            last = tellDevice(.frame(.revoke))
            _ = tellDevice(.raised(.success(generation)))
        }
        #expect(last == Self.refused(.tooFast))
    }

    @Test("has at most 32 messages under way, and sends the next for each that is acknowledged")
    mutating func window() throws {
        _ = tellDevice(.frame(.proof(proof)))
        _ = tellDevice(.opened(.success(.open(mailbox()))))
        let all = messages(40)
        let first = tellDevice(
            .loaded(.success(LoadedMessages(messages: Array(all[..<32]), isMoreLeft: true))))
        #expect(first == all[..<32].map { .deliver($0) })
        let woken = tellDevice(.wake)
        let ids = all[..<3].map(\.id)
        let acknowledged = tellDevice(.frame(.acknowledge(ids + ids)))
        #expect(woken.isEmpty && acknowledged == [.acknowledge(ids)])
        let next = tellDevice(.acknowledged(ids, isDone: true))
        #expect(
            next == [.load(except: Set(all[3..<32].map(\.id)), limit: 3, bytes: (512 << 10) - 2900)]
        )
        let more = tellDevice(
            .loaded(.success(LoadedMessages(messages: Array(all[32..<35]), isMoreLeft: true))))
        #expect(more == all[32..<35].map { .deliver($0) })
        #expect(session.messagesUnderWay == 32)
    }

    @Test("has no more bytes under way than wait for a device that does not read")
    mutating func bytes() {
        _ = tellDevice(.frame(.proof(proof)))
        _ = tellDevice(.opened(.success(.open(mailbox()))))
        let large = (0..<8).map { _ in
            let deposit = deposits.next(size: 66 << 10)
            return StoredMessage(id: deposit.id, parcel: deposit.parcel)
        }
        let full = tellDevice(.loaded(.success(LoadedMessages(messages: large, isMoreLeft: true))))
        _ = tellDevice(.frame(.acknowledge([large[0].id])))
        let next = tellDevice(.acknowledged([large[0].id], isDone: true))
        #expect(full == large.map { .deliver($0) })
        #expect(next == [.load(except: Set(large[1...].map(\.id)), limit: 25, bytes: 50 << 10)])
    }

    @Test("acknowledges nothing that it has not sent")
    mutating func foreign() {
        open()
        let ids = messages(3).map(\.id)
        let effects = tellDevice(.frame(.acknowledge(ids)))
        #expect(effects.isEmpty)
    }

    @Test("looks again when it was woken while it looked")
    mutating func wake() {
        open()
        let first = tellDevice(.wake)
        let second = tellDevice(.wake)
        let message = messages(1)
        let loaded = tellDevice(.loaded(.success(LoadedMessages(messages: message))))
        let then = tellDevice(.loaded(.success(LoadedMessages())))
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
        _ = tellDevice(.wake)
        let failure = StoreFailure(.failed, "no disk")
        let failed = tellDevice(.loaded(.failure(failure)))
        let look = tellDevice(.look)
        let message = messages(1)
        _ = tellDevice(.loaded(.success(LoadedMessages(messages: message))))
        _ = tellDevice(.frame(.acknowledge([message[0].id])))
        let undone = tellDevice(.acknowledged([message[0].id], isDone: false))
        // It is not sent again meanwhile.
        let woken = tellDevice(.wake)
        let again = tellDevice(.look)
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
        _ = tellDevice(.wake)
        while case let some = messages(32), delivered < 1000 {
            let loaded = tellDevice(
                .loaded(.success(LoadedMessages(messages: some, isMoreLeft: true))))
            delivered += loaded.filter { if case .deliver = $0 { true } else { false } }.count
            let ids = some.map(\.id)
            _ = tellDevice(.frame(.acknowledge(ids)))
            guard tellDevice(.acknowledged(ids, isDone: false)).count == 1 else { break }
        }
        #expect(delivered == DeviceSession.owedLimit && session.messagesUnderWay == 0)
        var settled = 0
        var next = tellDevice(.look)
        while case .acknowledge(let ids)? = next.first, settled < 1000 {
            settled += ids.count
            next = tellDevice(.acknowledged(ids, isDone: true))
        }
        #expect(settled == delivered)
    }

    @Test("has a notice left of dropped messages, one at a time")
    mutating func dropped() {
        open()
        _ = tellDevice(.wake)
        let told = tellDevice(.loaded(.success(LoadedMessages(unreported: 2, reported: 5))))
        _ = tellDevice(.wake)
        let again = tellDevice(.loaded(.success(LoadedMessages(unreported: 2, reported: 5))))
        _ = tellDevice(.told)
        _ = tellDevice(.wake)
        let later = tellDevice(.loaded(.success(LoadedMessages(unreported: 1, reported: 0))))
        #expect(told == [.tellDropped(7)] && again.isEmpty && later == [.tellDropped(1)])
    }

    @Test("does not tell of the same losses again by a load that began before the notice was left")
    mutating func staleLoad() {
        open()
        _ = tellDevice(.wake)
        let told = tellDevice(.loaded(.success(LoadedMessages(unreported: 7))))
        let asked = tellDevice(.wake)
        _ = tellDevice(.told)
        let stale = tellDevice(.loaded(.success(LoadedMessages(unreported: 7))))
        let fresh = tellDevice(.loaded(.success(LoadedMessages(unreported: 2, reported: 7))))
        #expect(told == [.tellDropped(7)])
        #expect(asked == stale && stale == [.load(except: [], limit: 32, bytes: 512 << 10)])
        #expect(fresh == [.tellDropped(9)])
    }

    @Test("ends for a device that sends frames without end, and for nobody slower")
    mutating func pace() {
        open()
        var ends = 0
        for number in 0..<1000 {
            ends += tellDevice(.frame(.unknown), at: 10 + Double(number) / 90).count
        }
        let last = (0..<101).map { _ in tellDevice(.frame(.unknown), at: 30) }
        #expect(ends == 0)
        #expect(last.map(\.count) == Array(repeating: 0, count: 100) + [2])
        #expect(last.last == Self.refused(.tooFast))
    }

    @Test("says when to come back, and nothing afterwards")
    mutating func farewell() {
        open()
        let bye = tellDevice(.farewell(seconds: 20, why: "restart"))
        let events: [DeviceSession.Event] = [
            .wake, .look, .frame(.unknown), .deadline, .told, .blocked, .gone,
            .loaded(.success(LoadedMessages(messages: messages(1)))),
        ]
        var after: [Effect] = []
        for event in events { after += tellDevice(event) }
        #expect(bye == [.send(.bye(seconds: 20, why: "restart")), .close(1001)])
        #expect(after.isEmpty)
    }
}
