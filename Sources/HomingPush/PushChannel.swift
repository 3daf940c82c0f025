public import HomeAssistantAPI
public import HomingHTTP
internal import HomingNotifications
public import HomingRuntime

/// Performs what a `PushSession` decides: opens its sockets, speaks its requests, keeps its time.
@LoopActor public final class PushChannel {
    /// Whether, and with which token, an endpoint may be used now. The answer comes once, at once or later;
    /// one that comes too late counts for nothing.
    public typealias Admission =
        @LoopActor (ChannelEndpoint, @escaping @LoopActor (Entry) -> Void) -> Void

    /// The most webhook requests under way over the socket.
    static let webhookLimit = 8

    private let client: HTTPClient
    private let admit: Admission?
    private let deliver: @LoopActor (Event) -> Void
    private var identity: Identity
    /// State for the status, and for `remembered`, which a restart should be given.
    public private(set) var session: PushSession
    private var socket: WebSocket?
    private var reader = WebSocketReader()
    /// Tells the present attempt from those before it.
    private var attempt = 0
    private let clock: any Clockwork
    private lazy var deadline = clock.deadline { [weak self] in self?.awake() }
    private var webhooks: [Int: WebhookCompletion] = [:]
    private var isShutDown = false
    /// Events that are not handled yet: what an effect leads to comes after the effects beside it.
    private var pending: [PushSession.Event] = []
    private var isHandling = false

    /// Makes a channel. Nothing happens before the channel is told the endpoints.
    ///
    /// - Parameters:
    ///   - client: whose TLS settings are used.
    ///   - session: a new one.
    ///   - admit: asked before each attempt; without it every endpoint is used with the identity's token.
    public init(
        identity: Identity, over client: HTTPClient, session: PushSession,
        clock: any Clockwork, admit: Admission? = nil,
        deliver: @escaping @LoopActor (Event) -> Void
    ) {
        self.identity = identity
        self.client = client
        self.session = session
        self.clock = clock
        self.admit = admit
        self.deliver = deliver
    }

    /// Takes a notification that came by another carrier, in Home Assistant's POST to `push_url`. Returns
    /// whether it was handed on: the socket or the relay had not brought it before.
    public func relay(_ payload: NotificationPayload, from origin: PushOrigin) -> Bool {
        let before = session.duplicates
        handlePushEvent(.relayed(payload, origin))
        return session.duplicates == before
    }

    /// A number for the open socket, if it leads to this endpoint; another socket has another number.
    public func openSocket(to endpoint: ChannelEndpoint) -> Int? {
        guard socket != nil, case .open = session.state, session.endpoint == endpoint else {
            return nil
        }
        return attempt
    }

    /// The ends of the open socket; `nil` without a socket.
    public var path: ConnectionPath? { socket?.path }

    /// Sends a webhook request over the open socket. Whether it was taken: not unless the channel
    /// is open, nor while too many are under way. The completion is called once if it was.
    public func send(webhook body: [UInt8], completion: @escaping WebhookCompletion) -> Bool {
        guard socket != nil, webhooks.count < Self.webhookLimit, let id = session.claimID() else {
            return false
        }
        webhooks[id] = completion
        speak(.webhook(webhookID: identity.webhookID, body: body), id: id)
        return true
    }

    /// `session.remembered` is on the disk.
    public func noteKept() { session.noteKept() }

    /// Closes it for good.
    public func shutdown() {
        isShutDown = true
        closeSocket()
        deadline.cancel()
        pending = []
    }

    /// Tells it what happened around it: the endpoints, sleep, Home Assistant's return. What follows,
    /// such as the closing of the socket before sleep, is done before this returns.
    public func handlePushEvent(_ event: PushSession.Event) {
        guard !isShutDown else { return }
        guard !isHandling else { return pending.append(event) }
        isHandling = true
        let before = (session.state, session.problem, session.openings)
        var next: PushSession.Event? = event
        while let event = next {
            for effect in session.handle(event, at: clock.now()) { performPushEffect(effect) }
            next = pending.isEmpty ? nil : pending.removeFirst()
        }
        isHandling = false
        if before != (session.state, session.problem, session.openings) { deliver(.changed) }
    }

    private func performPushEffect(_ effect: PushSession.Effect) {
        switch effect {
        case .open(let endpoint): open(endpoint)
        case .close: closeSocket()
        case .send(let request): speak(request)
        case .show(let payload, let origin):
            deliver(.content(PushContent(payload, from: origin), origin))
        case .wake(let uptime): wake(at: uptime)
        }
    }

    private func open(_ endpoint: ChannelEndpoint) {
        closeSocket()
        guard let admit else { return connect(endpoint) }
        let mine = attempt
        admit(endpoint) { [weak self] entry in
            guard let self, self.attempt == mine else { return }
            switch entry {
            case .refused(let reason): self.handlePushEvent(.lost(.unreachable(reason)))
            case .unauthorized(let reason): self.handlePushEvent(.lost(.unauthorized(reason)))
            case .token(let token):
                self.identity.token = token
                self.connect(endpoint)
            }
        }
    }

    private func connect(_ endpoint: ChannelEndpoint) {
        socket = WebSocket("\(endpoint.url)/api/websocket", over: client) { [weak self] event in
            self?.handleSocketEvent(event)
        }
    }

    private func closeSocket() {
        attempt += 1
        socket?.close()
        socket = nil
        let waiting = webhooks
        webhooks = [:]
        for id in waiting.keys.sorted() { waiting[id]?(nil) }
    }

    private func handleSocketEvent(_ event: WebSocket.Event) {
        switch event {
        case .opened: handlePushEvent(.opened)
        case .heard: handlePushEvent(.heard)
        case .ended(let end):
            closeSocket()
            handlePushEvent(.lost(PushSession.Loss(end)))
        case .text(let bytes):
            guard let message = reader.message(in: bytes) else { return handlePushEvent(.heard) }
            if case .done(let id, let reply?) = message {
                webhooks.removeValue(forKey: id)?(reply)
            } else if case .refused(let id, _, _) = message {
                webhooks.removeValue(forKey: id)?(nil)
            }
            handlePushEvent(.received(message))
        }
    }

    private func speak(_ request: PushSession.Request) {
        switch request {
        case .authenticate: speak(.authenticate(token: identity.token), id: 0)
        case .subscribe(let id): speak(.subscribePush(webhookID: identity.webhookID), id: id)
        case .confirm(let id, let confirmID):
            speak(.confirmPush(webhookID: identity.webhookID, confirmID: confirmID), id: id)
        case .ping(let id): speak(.ping, id: id)
        }
    }

    private func speak(_ command: WebSocketCommand, id: Int) {
        socket?.send(command.message(id: id))
    }

    private func wake(at uptime: Seconds) {
        deadline.set(after: uptime - clock.now().uptime, exactly: true)
    }

    private func awake() {
        handlePushEvent(.wake)
        if !isShutDown { deliver(.awake) }
    }
}
