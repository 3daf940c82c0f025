internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingHTTP
internal import HomingHealth
internal import HomingNotifications
internal import HomingPush
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime

/// Keeps one home's push channel on the endpoints that may carry it, and hands on what arrives.
@LoopActor final class PushStage {
    /// Lets others use the socket.
    let carrier: SocketCarrier
    let pictures: PictureFetcher
    let categories: CategoryKeeper
    /// Seconds within which Home Assistant answers a confirmation, as a rule.
    private static let confirmationPatience: Seconds = 2

    private let delivery: Delivery
    private let warnings: Warnings
    private let clock: any Clockwork
    private let seed: UInt64
    private let report: @LoopActor (Home.Event) -> Void
    private let channelChanged: @LoopActor (RelayAttention.Channel, Int) -> Void
    private let useOccasion: @LoopActor () -> Void
    /// The ids of notifications that have come, the oldest first: the relay may bring to the next
    /// daemon what the socket brought to this one, also after a reboot.
    private let arrived: RuntimeFile<[String]>
    /// File in which an earlier version kept the ids.
    private let arrivedBefore: RuntimeFile<[String]>
    /// Set while Home Assistant may not have taken a confirmation yet.
    private var doubt: (any Alarm)?
    private let channelBox: ChannelBox
    private var settings: Configuration.Push
    private var gate: TokenGate?
    private var isMetered = false
    /// Whether data is saved at the cost of the channel.
    private var isClosedByThrift = false
    /// Reason why no endpoint may be used; `nil` if an endpoint may be used. For people.
    private var reason: String?
    private var client: HTTPClient?
    private var identity: PushChannel.Identity?
    private var isAsleep = false
    /// Whether Home Assistant gave nothing for the refresh token when it was last asked.
    private var isRefreshRefused = false
    private var hadTrouble = false
    /// Whether the journal last said that the channel is open.
    private var isToldOpen = false

    /// - Parameters:
    ///   - seed: for the jitter of the channel.
    ///   - channelChanged: gets how the channel is, and how often it was opened.
    ///   - useOccasion: called when the channel has woken the process.
    init(
        _ delivery: Delivery, warnings: Warnings, settings: Configuration.Push,
        folders: Surroundings.Folders, seed: UInt64, clock: any Clockwork,
        report: @escaping @LoopActor (Home.Event) -> Void,
        channelChanged: @escaping @LoopActor (RelayAttention.Channel, Int) -> Void,
        useOccasion: @escaping @LoopActor () -> Void
    ) {
        self.delivery = delivery
        self.warnings = warnings
        self.settings = settings
        self.clock = clock
        self.report = report
        self.seed = seed
        self.channelChanged = channelChanged
        self.useOccasion = useOccasion
        // More than `Deduplicator` remembers.
        let files = [folders.state, folders.runtime].map { folder in
            RuntimeFile<[String]>(
                path: "\(folder)/arrived.json", limit: 1 << 20,
                loss: "a notification may be shown twice after a restart")
        }
        (arrived, arrivedBefore) = (files[0], files[1])
        pictures = PictureFetcher(folder: folders.runtime, log: warnings.log)
        categories = CategoryKeeper(log: warnings.log, clock: clock)
        let box = ChannelBox()
        channelBox = box
        carrier = SocketCarrier(clock: clock) { box.channel }
    }

    private var channel: PushChannel? { channelBox.channel }

    /// The state of the channel, for people.
    var state: PushChannelState {
        PushChannelState(
            isRegistered: gate != nil, session: channel?.session, reason: reason)
    }

    /// Whether notifications arrive now.
    var isOpen: Bool { if case .open? = channel?.session.state { true } else { false } }

    /// Works for this registration from now on; `routeChanged` says by which endpoints.
    func adopt(_ registration: Registration?, over client: HTTPClient) {
        // Nobody waits for a gate that is gone.
        gate?.giveUpPages()
        gate = registration.map {
            TokenGate(
                delivery, registration: $0, plainHTTP: settings.plainHTTP, clock: clock,
                exchange: { [weak self] in
                    let outcome = await AccessToken.current($0, base: $1, http: client)
                    self?.noteExchange(outcome, of: $0.token)
                    return .init(outcome)
                })
        }
        pictures.use(gate, client)
        categories.use(gate, client)
        var identity: PushChannel.Identity?
        if let registration, let authorization = registration.authorization {
            identity = PushChannel.Identity(
                webhookID: registration.webhookID, token: authorization.token)
        }
        warnings.set(
            .pushNoToken, settings.mode != .off && registration != nil && identity == nil,
            ending: identity == nil ? .withdrawn : .solved)
        if identity != self.identity || client !== self.client { renew(identity, client) }
        review()
    }

    /// Notes Home Assistant's own word about the refresh token. Another failure says nothing about the token.
    /// An answer about a former token says nothing about the present token.
    private func noteExchange(_ outcome: Result<String, RegistrationFailure>, of token: String) {
        guard token == identity?.token else { return }
        switch outcome {
        case .success: isRefreshRefused = false
        case .failure(.unauthorized): isRefreshRefused = true
        case .failure: break
        }
    }

    private func renew(_ identity: PushChannel.Identity?, _ client: HTTPClient) {
        self.identity = identity
        self.client = client
        isRefreshRefused = false
        let remembered =
            channel?.session.remembered ?? arrived.load() ?? arrivedBefore.load() ?? []
        channel?.shutdown()
        carrier.forget()
        channelBox.channel = identity.map {
            PushChannel(
                identity: $0, over: client,
                session: PushSession(seed: seed, remembered: remembered),
                clock: clock, admit: { [weak self] in self?.admit($0, $1) }
            ) { [weak self] in self?.handleChannelEvent($0) }
        }
        if isAsleep { channel?.handlePushEvent(.sleep) }
    }

    private func admit(
        _ endpoint: ChannelEndpoint, _ then: @escaping @LoopActor (PushChannel.Entry) -> Void
    ) {
        guard let gate else { return then(.refused("there is no token")) }
        gate.admit(endpoint, then)
    }

    /// Other settings from now on; `adopt` follows.
    func apply(_ settings: Configuration.Push) { self.settings = settings }

    /// Whether the network is metered from now on, and whether the channel is closed to save data;
    /// `routeChanged` follows.
    func set(isMetered: Bool, closedFor thrift: Bool) {
        self.isMetered = isMetered
        isClosedByThrift = thrift
    }

    /// Reason why the channel is closed by choice; `nil` if the channel is not closed by choice.
    private var closure: String? {
        if settings.mode == .off { return "[push] mode is off" }
        if !settings.mode.permits(isMetered: isMetered) { return "the network is metered" }
        return isClosedByThrift ? "[thrift] saves data" : nil
    }

    /// Follows another choice of the route.
    func routeChanged(networkChanged: Bool) {
        channel?.handlePushEvent(.endpoints(permittedEndpoints(), networkChanged: networkChanged))
        review()
    }

    private func permittedEndpoints() -> [ChannelEndpoint] {
        reason = closure
        guard reason == nil else { return [] }
        var permitted: [ChannelEndpoint] = []
        for endpoint in delivery.state.route?.endpoints ?? [] {
            guard let own = ChannelEndpoint(endpoint), let gate else { continue }
            if case .refused(let why) = gate.permission(for: endpoint) {
                reason = why
            } else {
                permitted.append(own)
            }
        }
        if permitted.isEmpty, reason == nil {
            reason = "no endpoint on this network can carry notifications"
        }
        return permitted
    }

    /// Follows the state of the delivery. When its trouble ends, a channel that waits tries at once.
    func deliveryChanged() {
        gate?.deliveryChanged(channelIsOpening: channel?.session.state == .connecting)
        let isOver = hadTrouble && !delivery.hasTrouble && delivery.isProved
        hadTrouble = delivery.hasTrouble
        if isOver { channel?.handlePushEvent(.reachable) }
    }

    /// Whether the token may go to this endpoint; `nil` without a registration.
    func permission(for endpoint: Endpoint) -> TokenPermission? {
        gate?.permission(for: endpoint)
    }

    /// Returns the address for the token now, after a receipt if need be; `nil` without an address.
    func base() async -> String? { await gate?.access()?.base }

    /// The machine is about to sleep: Home Assistant must not believe in a channel that is frozen.
    func sleep() {
        isAsleep = true
        channel?.handlePushEvent(.sleep)
        // The battery may not last.
        if doubt != nil { keepArrived() }
    }

    func resume() {
        isAsleep = false
        channel?.handlePushEvent(.resume)
        categories.rearm()
    }

    func shutdown() {
        // Notifications that wait for a picture are shown without.
        gate?.giveUpPages()
        if channel?.session.remembered.isEmpty == false { keepArrived() }
        channel?.shutdown()
        categories.shutdown()
        pictures.shutdown()
    }

    /// Takes a notification of Home Assistant's POST to `push_url`. Returns `true` for a new notification.
    func relay(_ payload: NotificationPayload, from origin: PushOrigin) -> Bool {
        if let channel { return channel.relay(payload, from: origin) }
        // Without a token there is no other way by which it could come again.
        handleChannelEvent(.content(PushContent(payload, from: origin), origin))
        return true
    }

    /// Home Assistant hands to a relay what it was not confirmed. As long as a confirmation is without an
    /// answer, the disk is to know what came: the next daemon may be another boot's.
    private func watchConfirmation() {
        guard doubt == nil, channel?.session.hasUnconfirmed == true else { return }
        doubt = clock.once(after: Self.confirmationPatience) { [weak self] in
            guard let self, self.doubt != nil else { return }
            if self.channel?.session.hasUnconfirmed == true { self.keepArrived() }
            self.doubt = nil
        }
    }

    private func keepArrived() {
        doubt = nil
        guard let channel else { return }
        arrived.store(channel.session.remembered)
        channel.noteKept()
    }

    /// Condition of the channel, for the relay: an open channel leaves less to look for.
    private var condition: RelayAttention.Channel {
        guard closure == nil else { return .closed }
        let route = delivery.state.route
        let isOffline =
            route?.isCutOff == true || route?.place == .offline || route?.place == .portal
        switch channel?.session.state {
        case .open: return .open
        case .connecting, .waiting, .stopped, .asleep: return .failing
        case .off, nil: return isOffline ? .offline : .failing
        }
    }

    private func handleChannelEvent(_ event: PushChannel.Event) {
        switch event {
        case .changed: review()
        case .awake: return useOccasion()
        case .content(let content, let origin):
            watchConfirmation()
            report(.content(content, origin))
        }
        report(.changed)
    }

    /// Writes changes to the journal, and raises warnings that a person can act on.
    private func review() {
        let session = channel?.session
        var isFailing = false
        switch session?.state {
        case .connecting, .waiting: isFailing = true
        case .open, .off, .asleep, .stopped, nil: break
        }
        if isOpen != isToldOpen { reportConnection(session) }
        if isOpen { isRefreshRefused = false }
        let isOff = settings.mode == .off
        // The first refusal is news: the next try may be half an hour away.
        let isRefused = session.map { $0.isTokenRefused || isRefreshRefused } ?? false
        warnings.set(
            .pushTokenRefused, isRefused && !isOff, detail: session?.problem,
            ending: isRefused || session?.serverVersion == nil ? .withdrawn : .solved)
        warnings.set(
            .pushUnreachable, isFailing, detail: session?.problem,
            ending: isOpen ? .solved : .withdrawn)
        channelChanged(condition, session?.openings ?? 0)
    }

    private func reportConnection(_ session: PushSession?) {
        isToldOpen = isOpen
        if isToldOpen {
            spawn { [categories] in try? await categories.refresh() }
            // Home Assistant is reached.
            delivery.becameReachable()
        }
        let endpoint = session?.endpoint?.kind.title ?? ""
        let why = (session?.problem ?? reason).map { ": \($0)" } ?? ""
        warnings.log.info(
            isToldOpen
                ? "notifications: connected by the \(endpoint)"
                : "notifications: not connected\(why)")
    }
}

/// The channel of the moment, for those who outlive it.
@LoopActor private final class ChannelBox {
    var channel: PushChannel?
}

/// The state of a push channel at one moment, for people.
struct PushChannelState: Sendable {
    /// Whether there is a registration.
    let isRegistered: Bool
    /// `nil` where the registration has no token.
    let session: PushSession?
    /// Reason why no endpoint may be used; `nil` if an endpoint may be used.
    let reason: String?
}
