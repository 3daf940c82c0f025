import HomingBase
import HomingCrypto
import HomingRelayProtocol
import HomingTestKit
import Testing

@testable import HomingRelay

/// Sessions in random histories: messages come, the store answers late or fails, the device
/// acknowledges when it likes, and connections break.
@Suite("Device sessions in random histories")
struct SessionHistoryTests {
    @Test("lose nothing, send nothing twice on a socket, and acknowledge nothing that was not sent")
    func histories() throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): device sessions")
        var total = 0
        for round in 0..<40 {
            var history = try History(seed: seed &+ UInt64(round))
            for step in 0..<600 {
                history.step()
                #expect(history.fault == nil, "seed \(seed), round \(round), step \(step)")
                if history.fault != nil { return }
            }
            history.finish()
            #expect(history.fault == nil && history.isDone, "seed \(seed), round \(round)")
            total += history.taken.count
        }
        #expect(total > 2000, "seed \(seed): hardly anything happened")
    }
}

/// Device and its mailbox.
private struct History {
    private let played: Played
    private var random: SeededRandom
    private let deposits = Deposits()
    private var stored: [StoredMessage] = []
    private var session: DeviceSession
    /// Effects that the store has not answered yet, in its order.
    private var asked: [DeviceSession.Effect] = []
    /// On this socket: sent, and acknowledged by the device.
    private var sent: [MessageID] = []
    private var acknowledged: Set<MessageID> = []
    private var failing = false
    private var isAttending = false
    private var now: Seconds = 1
    /// Messages that the device has taken over, and all there ever were.
    private(set) var taken: Set<MessageID> = []
    private var all: Set<MessageID> = []
    private(set) var fault: String?

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        played = try Played()
        let challenge = try played.sealer.challenge(for: played.token, at: 1)
        session = DeviceSession(played.token, isOld: false, challenge: challenge)
        connect()
    }

    var isDone: Bool { stored.isEmpty && taken == all }

    private mutating func number(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }

    private mutating func connect() {
        (sent, acknowledged, asked, isAttending) = ([], [], [], false)
        guard let challenge = try? played.sealer.challenge(for: played.token, at: 1),
            let proof = try? played.opener.proof(of: challenge.sealed)
        else {
            fault = "no challenge"
            return
        }
        session = DeviceSession(played.token, isOld: false, challenge: challenge)
        passDeviceEvent(.frame(.proof(proof)))
    }

    mutating func step() {
        now += Double(number(0..<1000)) / 1000
        switch number(0..<100) {
        case ..<40: deposit()
        case ..<70: answer()
        case ..<90: acknowledge(number(1..<20))
        case ..<94: passDeviceEvent(.look)
        case ..<96: passDeviceEvent(.wake)
        case ..<98: failing.toggle()
        default: if number(0..<4) == 0 { connect() }
        }
    }

    /// All goes well from now on.
    mutating func finish() {
        failing = false
        for _ in 0..<400 where !isDone {
            now += 1
            while !asked.isEmpty { answer() }
            acknowledge(32)
            passDeviceEvent(.look)
            passDeviceEvent(.wake)
        }
    }

    private mutating func deposit() {
        let deposit = deposits.next()
        stored.append(StoredMessage(id: deposit.id, parcel: deposit.parcel))
        all.insert(deposit.id)
        // One of ten wakes is lost.
        if isAttending, number(0..<10) > 0 { passDeviceEvent(.wake) }
    }

    private mutating func acknowledge(_ count: Int) {
        let open = sent.filter { !acknowledged.contains($0) }
        let ids = Array(open.shuffled(using: &random).prefix(count))
        guard !ids.isEmpty else { return }
        // The device has taken them over before it says so.
        taken.formUnion(ids)
        acknowledged.formUnion(ids)
        passDeviceEvent(.frame(.acknowledge(ids)))
    }

    /// The store does what it was asked first.
    private mutating func answer() {
        guard !asked.isEmpty else { return }
        let failure = StoreFailure(.failed, "no disk")
        switch asked.removeFirst() {
        case .open(let generation):
            let count = DayCount(maximum: 150, resetsAt: noon)
            passDeviceEvent(
                .opened(
                    .success(
                        .open(
                            OpenMailbox(
                                generation: generation, waiting: 0, count: count)))))
        case .load(let known, let limit, _):
            let rest = stored.filter { !known.contains($0.id) }
            let loaded = LoadedMessages(
                messages: Array(rest.prefix(limit)), isMoreLeft: rest.count > limit)
            passDeviceEvent(.loaded(failing ? .failure(failure) : .success(loaded)))
        case .acknowledge(let ids):
            if !failing { stored.removeAll { ids.contains($0.id) } }
            passDeviceEvent(.acknowledged(ids, isDone: !failing))
        default: break
        }
    }

    private mutating func passDeviceEvent(_ event: DeviceSession.Event) {
        for effect in session.handleDeviceEvent(event, at: now) {
            switch effect {
            case .deliver(let message):
                if sent.contains(message.id) { fault = "sent twice" }
                sent.append(message.id)
                if session.messagesUnderWay > RelayFrame.window { fault = "too many under way" }
            case .acknowledge(let ids):
                if !acknowledged.isSuperset(of: ids) { fault = "not acknowledged by the device" }
                if ids.count > RelayFrame.window { fault = "too many at once" }
                asked.append(effect)
            case .load(let known, let limit, _):
                let most = RelayFrame.window + DeviceSession.owedLimit
                if limit > RelayFrame.window || known.count + limit > most {
                    fault = "asks for too many"
                }
                asked.append(effect)
            case .open: asked.append(effect)
            case .attend: isAttending = true
            case .ready, .tellDropped: break
            case .send(let frame): fault = "\(frame)"
            case .close(let code): fault = "closed: \(code)"
            case .raise: fault = "raised"
            }
        }
    }
}
