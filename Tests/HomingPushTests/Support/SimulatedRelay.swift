import HomingBase
import HomingRelayProtocol

@testable import HomingPush

/// A relay's side of the socket: what is not acknowledged stays and comes again.
struct SimulatedMailbox {
    private(set) var waiting: [MessageID] = []
    private var ids = MessageIDs()
    /// Sent over the present connection, and not acknowledged.
    private var sent: Set<MessageID> = []
    private(set) var all: [MessageID] = []

    mutating func post(at now: Moment) {
        let id = ids.next(at: Int64(now.unixTime * 1000))
        waiting.append(id)
        all.append(id)
    }

    mutating func disconnected() { sent = [] }

    mutating func acknowledge(_ acknowledged: [MessageID]) {
        waiting.removeAll { acknowledged.contains($0) }
        sent.subtract(acknowledged)
    }

    /// The next message that may be sent.
    mutating func next() -> MessageID? {
        guard sent.count < RelayFrame.window,
            let id = waiting.first(where: { !sent.contains($0) })
        else { return nil }
        sent.insert(id)
        return id
    }
}

/// A device and a relay, and a socket between them that may lose what is on its way. The device's disk
/// survives its crashes; its memory does not.
struct SimulatedRelay {
    var mailbox = SimulatedMailbox()
    var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
    var isUp = true
    /// Whether the device's disk takes anything.
    var isDiskWell = true
    private(set) var session: RelaySession
    private var attention: RelayAttention
    private let seed: UInt64
    private var disk = RelaySeen()
    private var seen = RelaySeen()
    private var taken: [MessageID] = []
    private(set) var shown: [MessageID] = []
    /// Shown and not on the disk when the device crashed: these may be shown again.
    private(set) var excused: Set<MessageID> = []
    private(set) var violations: [String] = []
    private var socket = Socket.none
    private var toRelay: [RelayFrame] = []
    private var toDevice: [RelayFrame] = []
    private var wish = RelayAttention.Wish.none
    private var idleWakes = 0

    private enum Socket { case none, opening, greeted, proven }

    init(seed: UInt64, mode: RelayMode = .auto) {
        self.seed = seed
        session = RelaySession(seed: seed)
        attention = RelayAttention(mode, channel: .failing, at: now)
        follow()
    }

    private var time: Int64 { Int64(now.unixTime * 1000) }

    // MARK: The device

    mutating func passAttentionEvent(_ event: RelayAttention.Event) {
        if event == .sleep { write() }
        attention.handle(event, at: now)
        follow()
        if event == .woke { handle(.afresh) }
    }

    mutating func networkChanged() { handle(.afresh) }

    private mutating func follow() {
        let new = attention.wish(at: now)
        guard new != wish else { return }
        wish = new
        handle(.wish(new))
    }

    private mutating func handle(_ event: RelaySession.Event) {
        for effect in session.handle(event, at: now) { simulateRelayEffect(effect) }
        follow()
    }

    private mutating func simulateRelayEffect(_ effect: RelaySession.Effect) {
        switch effect {
        case .open:
            if socket != .none { violations.append("opened a second socket") }
            socket = .opening
        case .close:
            if socket == .none { violations.append("closed no socket") }
            dropSocket()
        case .send(let frame):
            if socket == .none { violations.append("sent \(frame) over no socket") }
            if case .acknowledge(let ids) = frame { check(ids) }
            toRelay.append(frame)
        case .ping: if isUp { handle(.heard) }
        case .prove: handle(.proof([UInt8](repeating: 7, count: Challenge.proofSize)))
        case .take(let id, _, _): receiveMessage(id)
        case .looked:
            attention.handle(.looked, at: now)
            follow()
        case .failed:
            attention.handle(.failed, at: now)
            follow()
        case .renew, .refused, .revoked: violations.append("\(effect)")
        }
    }

    private mutating func check(_ ids: [MessageID]) {
        if ids.isEmpty || ids.count > RelayFrame.window { violations.append("\(ids.count) acks") }
        var known = disk
        for id in ids where known.judge(id) == .new {
            violations.append("\(id) was acknowledged before it was on the disk")
        }
    }

    private mutating func receiveMessage(_ id: MessageID) {
        taken.append(id)
        guard seen.judge(id) == .new else { return }
        if shown.contains(id), !excused.contains(id) { violations.append("\(id) was shown twice") }
        shown.append(id)
    }

    /// The device's disk gets what gathered.
    mutating func write() {
        guard isDiskWell else { return }
        disk = seen
        let ids = taken
        taken = []
        if !ids.isEmpty { handle(.taken(ids)) }
    }

    /// The device is killed and starts again.
    mutating func crash() {
        var known = disk
        excused.formUnion(shown.filter { known.judge($0) == .new })
        if socket != .none { dropSocket() }
        seen = disk
        session = RelaySession(seed: seed)
        attention = RelayAttention(.auto, channel: .failing, at: now)
        wish = .none
        follow()
    }

    // MARK: The way

    private mutating func dropSocket() {
        socket = .none
        toRelay = []
        toDevice = []
        taken = []
        mailbox.disconnected()
    }

    /// The socket ends; what is on its way is lost.
    mutating func kill() {
        guard socket != .none else { return }
        dropSocket()
        handle(.lost(.unreachable("killed")))
    }

    /// The relay is being restarted, and says so.
    mutating func drain(seconds: Int) {
        guard socket != .none, socket != .opening else { return }
        toDevice = [.bye(seconds: seconds, why: "")]
    }

    /// Lets one of the messages arrive that are on their way.
    mutating func step() {
        if socket == .opening {
            guard isUp else { return kill() }
            socket = .greeted
            toDevice.append(.hello(version: 1, now: time, challenge: []))
            return handle(.opened)
        }
        if !toRelay.isEmpty { heard(toRelay.removeFirst()) }
        if socket == .proven, let id = mailbox.next() {
            toDevice.append(.message(id: id, now: time, parcel: []))
        }
        if socket != .none, !toDevice.isEmpty { handle(.received(toDevice.removeFirst())) }
    }

    private mutating func heard(_ frame: RelayFrame) {
        switch frame {
        case .proof:
            socket = .proven
            let count = DayCount(maximum: 150, resetsAt: 0)
            toDevice.append(
                .ready(waiting: mailbox.waiting.count, count: count, renewal: nil))
        case .acknowledge(let ids): mailbox.acknowledge(ids)
        default: violations.append("the relay got \(frame)")
        }
    }

    /// Time passes, with every wake in it when its time has come.
    mutating func pass(_ seconds: Seconds, answering: Bool = false) {
        let end = now.uptime + seconds
        while true {
            if answering {
                for _ in 0..<30 { step() }
                write()
            }
            let next = [attention.nextWake, session.nextWake].compactMap { $0 }.min()
            guard let next, next <= end else { break }
            idleWakes = next <= now.uptime ? idleWakes + 1 : 0
            if idleWakes > 5 {
                violations.append("wakes without end at \(now.uptime)")
                return
            }
            now = now.advanced(by: max(0, next - now.uptime))
            attention.handle(.wake, at: now)
            follow()
            handle(.wake)
        }
        now = now.advanced(by: max(0, end - now.uptime))
    }

    /// Everything works again, and enough time passes for the longest backoff.
    mutating func heal() {
        isUp = true
        isDiskWell = true
        passAttentionEvent(.woke)
        passAttentionEvent(.channel(.failing))
        for _ in 0..<400 where !mailbox.waiting.isEmpty { pass(5, answering: true) }
    }
}
