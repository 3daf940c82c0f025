internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingDelivery
internal import HomingHTTP
internal import HomingHealth
internal import HomingNotifications
internal import HomingPush
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime

/// Keeps the push channel on the ways that may carry it, and hands on what arrives.
@LoopActor final class PushStage {
    unowned let pipeline: Pipeline
    let desk: NotificationDesk
    let orders: PushOrders
    private(set) var settings: Configuration.Push
    private(set) var channel: PushChannel?
    private(set) var gate: TokenGate?
    /// Lets others use the socket.
    private(set) lazy var carrier = SocketCarrier(clock: pipeline.clock) { [weak self] in
        self?.channel
    }
    /// Why there is no way, if there is none; for people.
    private(set) var reason: String?
    private var client: HTTPClient?
    private var identity: PushChannel.Identity?
    private var isAsleep = false
    /// Whether Home Assistant gave nothing for the refresh token when it was last asked.
    private var isRefreshRefused = false
    private var courierHadTrouble = false
    private let arrived: ArrivedFile
    /// What was last said in the journal.
    private var isToldOpen = false

    /// - Parameter folder: that a reboot empties.
    init(pipeline: Pipeline, configuration: Configuration, folder: String) {
        self.pipeline = pipeline
        settings = configuration.push
        arrived = ArrivedFile(folder: folder)
        desk = NotificationDesk(
            pipeline: pipeline, configuration: configuration, folder: folder)
        orders = PushOrders(desk: desk, configuration: configuration)
    }

    /// Works for this registration from now on; the pipeline says by which way.
    func adopt(_ registration: Registration?, over client: HTTPClient) {
        // Nobody waits for a gate that is gone.
        gate?.giveUpPages()
        gate = registration.map {
            TokenGate(
                pipeline: pipeline, registration: $0, plainHTTP: settings.plainHTTP,
                exchange: { [weak self] in
                    let outcome = await AccessToken.current($0, base: $1, http: client)
                    self?.isRefreshRefused = outcome == .failure(.unauthorized)
                    return .init(outcome)
                })
        }
        desk.adopt(registration, gate, over: client)
        var identity: PushChannel.Identity?
        if let registration, let authorization = registration.authorization {
            identity = PushChannel.Identity(
                webhookID: registration.webhookID, token: authorization.token)
        }
        pipeline.raise(
            .pushNoToken, settings.mode != .off && registration != nil && identity == nil)
        if identity == self.identity, client === self.client { return connectGate() }
        self.identity = identity
        self.client = client
        isRefreshRefused = false
        let remembered = channel?.session.remembered ?? arrived.load()
        channel?.shutdown()
        carrier.forget()
        channel = identity.map {
            PushChannel(
                identity: $0, over: client,
                session: PushSession(seed: .random(in: 0...(.max)), remembered: remembered),
                clock: pipeline.clock
            ) { [weak self] in self?.told($0) }
        }
        if isAsleep { channel?.sleep() }
        connectGate()
    }

    private func connectGate() {
        channel?.admit = { [weak self] way, then in
            guard let gate = self?.gate else { return then(.refused("there is no token")) }
            gate.admit(way, then)
        }
        review()
    }

    /// Other settings from now on; `adopt` follows.
    func apply(_ configuration: Configuration) {
        settings = configuration.push
        desk.apply(configuration)
        orders.apply(configuration)
    }

    /// The pipeline chose its way anew.
    func wayChanged(networkChanged: Bool) {
        channel?.use(ways(), networkChanged: networkChanged)
        review()
    }

    private func ways() -> [PushWay] {
        reason = nil
        guard settings.mode.permits(isMetered: pipeline.isMetered) else {
            reason = settings.mode == .off ? "[push] mode is off" : "the network is metered"
            return []
        }
        var ways: [PushWay] = []
        for endpoint in pipeline.way?.endpoints ?? [] {
            guard let way = PushWay(endpoint), let gate else { continue }
            if case .refused(let why) = gate.permission(for: endpoint) {
                reason = why
            } else {
                ways.append(way)
            }
        }
        if ways.isEmpty, reason == nil { reason = "no way that can carry it may be used here" }
        return ways
    }

    /// Something of the pipeline is another than before. What ends the courier's trouble is news for
    /// a channel that waits.
    func pipelineChanged() {
        gate?.pipelineChanged(channelIsOpening: channel?.session.state == .connecting)
        let hadTrouble = courierHadTrouble
        courierHadTrouble = pipeline.courier.trouble != nil
        let isOver = hadTrouble && !courierHadTrouble && pipeline.courier.current != nil
        if isOver { channel?.becameReachable() }
    }

    /// The machine is about to sleep: Home Assistant must not believe in a channel that is frozen.
    func sleep() {
        isAsleep = true
        channel?.sleep()
    }

    func resume() {
        isAsleep = false
        channel?.resume()
        desk.resume()
    }

    func shutdown() {
        if let ids = channel?.session.remembered, !ids.isEmpty { arrived.store(ids) }
        channel?.shutdown()
        desk.shutdown()
    }

    /// A notification came by the relay: the body of Home Assistant's POST to `push_url`.
    func relay(_ body: [UInt8]) -> PushChannel.Relayed {
        if let channel { return channel.relay(body) }
        // Without a token there is no other way by which it could come again.
        guard let payload = NotificationPayload(relayed: body) else { return .unreadable }
        told(.content(PushContent(payload)))
        return .new
    }

    private func told(_ event: PushChannel.Event) {
        switch event {
        case .changed: review()
        case .content(.command(let command)): orders.carryOut(command)
        case .content(.notification(let message)):
            for problem in message.problems { Log.info("of a notification: \(problem)") }
            desk.show(message)
        }
        pipeline.onChange()
    }

    /// Says what changed, and raises what a person can act on.
    private func review() {
        let session = channel?.session
        var isOpen = false
        var isFailing = false
        switch session?.state {
        case .open: isOpen = true
        case .connecting, .waiting: isFailing = true
        case .off, .asleep, .stopped, nil: break
        }
        if isOpen != isToldOpen {
            isToldOpen = isOpen
            if isOpen {
                desk.categories.refresh()
                pipeline.tell(.reachable)
            }
            let way = session?.way?.kind.title ?? ""
            let why = session?.problem ?? reason
            Log.info(
                isOpen
                    ? "notifications arrive by the \(way)"
                    : "notifications do not arrive\(why.map { ": \($0)" } ?? "")")
        }
        // The first refusal is news: the next try may be half an hour away.
        pipeline.raise(
            .pushTokenRefused,
            session.map { $0.isTokenRefused || isRefreshRefused } ?? false,
            detail: session?.problem)
        pipeline.raise(.pushUnreachable, isFailing, detail: session?.problem)
    }
}
