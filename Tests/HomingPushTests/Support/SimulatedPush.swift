import HomeAssistantAPI
import HomingBase
import HomingRoutes

@testable import HomingPush

/// Home Assistant's side of the push channel, as mobile_app/push_notification.py has it: what is
/// not confirmed within 10 s, and what was pending when the channel or the socket went, is handed
/// to `push_url`.
struct SimulatedPushServer {
    var isUp = true
    /// Answers `unknown_command` to a subscription, as it does while it starts.
    var isStarting = false
    var acceptsToken = true
    private(set) var channel: Int?
    private var pending: [(id: String, deadline: Seconds)] = []
    /// Notifications that were handed to `push_url`, and not yet relayed.
    var fallen: [String] = []
    private var count = 0
    private(set) var sent: [String] = []
    private(set) var signIns = 0

    /// Somebody calls `notify`: what goes out over the socket, if anything.
    mutating func notify(at now: Seconds) -> WebSocketMessage? {
        count += 1
        let id = "confirm-\(count)"
        sent.append(id)
        guard let channel else {
            fallen.append(id)
            return nil
        }
        pending.append((id, now + 10))
        return .notification(subscription: channel, .confirmed(id))
    }

    mutating func endChannel() {
        channel = nil
        fallen += pending.map(\.id)
        pending = []
    }

    mutating func pass(to now: Seconds) {
        if pending.contains(where: { $0.deadline <= now }) { endChannel() }
    }

    mutating func answer(_ request: PushSession.Request) -> WebSocketMessage {
        switch request {
        case .authenticate:
            signIns += 1
            return acceptsToken ? .authOK(version: "2026.11.0") : .authInvalid
        case .subscribe(let id):
            if isStarting { return .refused(id: id, code: "unknown_command") }
            endChannel()
            channel = id
            return .done(id: id)
        case .confirm(let id, let confirmID):
            guard channel != nil, let index = pending.firstIndex(where: { $0.id == confirmID })
            else { return .refused(id: id, code: "not_found") }
            pending.remove(at: index)
            return .done(id: id)
        case .ping(let id):
            return .pong(id: id)
        }
    }
}

/// A push session, a Home Assistant, and a socket between them that may lose what is on its way.
struct SimulatedPush {
    static let endpoints = [
        ChannelEndpoint(kind: .instance, url: "http://homeassistant.local:8123"),
        ChannelEndpoint(kind: .remoteUI, url: "https://abc.ui.nabu.casa"),
    ]

    var server = SimulatedPushServer()
    var session: PushSession
    var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
    /// The client's process stands still: nothing is told to the session.
    var isFrozen = false
    private(set) var shown: [String] = []
    private(set) var violations: [String] = []
    private(set) var wake: Seconds?
    private var socket = Socket.none
    private var toServer: [PushSession.Request] = []
    private var toClient: [WebSocketMessage] = []
    private var lastID = 0
    private var idleWakes = 0
    private var isAsleep = false

    enum Socket { case none, opening, open }

    init(seed: UInt64) { session = PushSession(seed: seed) }

    var hasSocket: Bool { socket != .none }

    /// Home Assistant knows of the channel that the session believes in.
    var isWell: Bool {
        if case .open = session.state { server.channel != nil } else { false }
    }

    mutating func passPushEvent(_ event: PushSession.Event) {
        if event == .sleep { isAsleep = true }
        if event == .resume { isAsleep = false }
        let effects = session.handle(event, at: now)
        for (index, effect) in effects.enumerated() {
            simulatePushEffect(effect, after: Array(effects[..<index]))
        }
    }

    private mutating func simulatePushEffect(
        _ effect: PushSession.Effect, after: [PushSession.Effect]
    ) {
        switch effect {
        case .open:
            if socket != .none { violations.append("opened a second socket") }
            if isAsleep { violations.append("opened a socket while asleep") }
            socket = .opening
            lastID = 0
        case .close:
            if socket == .none { violations.append("closed no socket") }
            dropSocket()
        case .send(let request):
            if socket != .open { violations.append("sent \(request) over no socket") }
            if let id = request.id {
                if id <= lastID { violations.append("id \(id) after \(lastID)") }
                lastID = id
            }
            toServer.append(request)
        case .show(let payload, _):
            let text = payload.message
            if shown.contains(text) { violations.append("\(text) was shown twice") }
            shown.append(text)
            let confirmed = after.contains { $0.confirms(text) }
            if !confirmed, !isRelaying { violations.append("\(text) before its confirm") }
        case .wake(let time):
            idleWakes = time <= now.uptime ? idleWakes + 1 : 0
            if idleWakes > 3 { violations.append("wakes without end at \(now.uptime)") }
            wake = time
        }
    }

    private var isRelaying = false

    /// The socket ends on both sides; what is on its way is lost.
    private mutating func dropSocket() {
        socket = .none
        toServer = []
        toClient = []
        server.endChannel()
    }

    mutating func kill() {
        guard socket != .none else { return }
        dropSocket()
        if !isFrozen { passPushEvent(.lost(.unreachable("killed"))) }
    }

    mutating func notify() {
        if let push = server.notify(at: now.uptime) { toClient.append(push) }
    }

    /// Lets one of the messages arrive that are on their way.
    mutating func step(towardServer: Bool) {
        if socket == .opening, !isFrozen {
            guard server.isUp else { return kill() }
            socket = .open
            toClient.append(.authRequired)
            return passPushEvent(.opened)
        }
        if towardServer, !toServer.isEmpty {
            toClient.append(server.answer(toServer.removeFirst()))
        } else if !isFrozen, !toClient.isEmpty {
            passPushEvent(.received(toClient.removeFirst()))
        }
    }

    mutating func relay() {
        guard !server.fallen.isEmpty else { return }
        isRelaying = true
        passPushEvent(.relayed(.confirmed(server.fallen.removeFirst()), .direct))
        isRelaying = false
    }

    /// Time passes, with every wake in it when its time has come.
    /// `answering` lets everything on its way arrive.
    mutating func pass(_ seconds: Seconds, answering: Bool = false) {
        let end = now.uptime + seconds
        while true {
            if answering { for turn in 0..<40 { step(towardServer: turn % 2 == 0) } }
            guard !isFrozen, let next = wake, next <= end else { break }
            wake = nil
            now = now.advanced(by: max(0, next - now.uptime))
            server.pass(to: now.uptime)
            passPushEvent(.wake)
        }
        now = now.advanced(by: max(0, end - now.uptime))
        server.pass(to: now.uptime)
    }

    mutating func thaw() {
        isFrozen = false
        if socket == .none, session.state != .off { passPushEvent(.lost(.unreachable("thawed"))) }
    }

    /// Everything works again, and enough time passes for the longest backoff and for a beat.
    mutating func heal() {
        thaw()
        server.isUp = true
        server.isStarting = false
        passPushEvent(.endpoints(Self.endpoints, networkChanged: false))
        if isAsleep { passPushEvent(.resume) }
        for _ in 0..<1100 where !isWell { pass(2, answering: true) }
        notify()
        for _ in 0..<40 { pass(1, answering: true) }
        notify()
        for _ in 0..<10 { pass(1, answering: true) }
        while !server.fallen.isEmpty { relay() }
    }
}

extension NotificationPayload {
    /// A notification that waits for this confirmation, if any, and has its id as text.
    static func confirmed(_ id: String?) -> NotificationPayload {
        var payload = NotificationPayload(message: id ?? "hello")
        payload.confirmID = id
        return payload
    }
}

/// Messages with what matters to a session alone.
extension WebSocketMessage {
    static var authRequired: WebSocketMessage { .authRequired(version: "2026.11.0") }
    static func done(id: Int) -> WebSocketMessage { .done(id: id, reply: nil) }
    static func refused(id: Int, code: String) -> WebSocketMessage {
        .refused(id: id, code: code, message: "")
    }
}

extension PushSession.Request {
    fileprivate var id: Int? {
        switch self {
        case .authenticate: nil
        case .subscribe(let id), .confirm(let id, _), .ping(let id): id
        }
    }
}

extension PushSession.Effect {
    fileprivate func confirms(_ identity: String) -> Bool {
        if case .send(.confirm(_, identity)) = self { true } else { false }
    }
}
