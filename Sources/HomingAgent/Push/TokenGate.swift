internal import HomeAssistantAPI
internal import HomingPush
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime

/// Keeps the token from every endpoint that may not have it, and has an endpoint prove itself where
/// it must.
@LoopActor final class TokenGate {
    private struct Waiting {
        /// The channel has one endpoint at a time, pages may be asked for too.
        let isForChannel: Bool
        let endpoint: Endpoint
        /// Moment at which the token was wanted: a receipt from before does not vouch.
        let since: Moment
        let then: @LoopActor (PushChannel.Entry) -> Void
        /// Whether the courier was asked while it had the time.
        var hasAsked: Bool
    }

    /// Makes an access token of what the registration keeps, with the Home Assistant at this address.
    typealias Exchange = @LoopActor (Registration.Authorization, String) async -> PushChannel.Entry

    /// Seconds for which a token is used again.
    private static let tokenLasts: Seconds = 300
    /// Seconds in which an endpoint proves itself, for a page.
    private static let patience: Seconds = 8

    private unowned let delivery: Delivery
    private let clock: any Clockwork
    private let registration: Registration
    private let plainHTTP: PlainHTTPToken
    private let exchange: Exchange
    private var waiting: [Waiting] = []
    private lazy var timer = WakeTimer(clock) { [weak self] in self?.giveUpPages() }
    private var token: (text: String, until: Seconds)?

    init(
        _ delivery: Delivery, registration: Registration, plainHTTP: PlainHTTPToken,
        clock: any Clockwork, exchange: @escaping Exchange
    ) {
        self.delivery = delivery
        self.clock = clock
        self.registration = registration
        self.plainHTTP = plainHTTP
        self.exchange = exchange
    }

    /// An access token from the Home Assistant at this address, which may have it.
    private func makeToken(
        _ base: String, _ then: @escaping @LoopActor (PushChannel.Entry) -> Void
    ) {
        guard let authorization = registration.authorization else {
            return then(.refused("the registration has no token"))
        }
        if authorization.kind == .longLived { return then(.token(authorization.token)) }
        if let token, token.until > clock.now().uptime { return then(.token(token.text)) }
        let exchange = exchange
        spawn { [weak self] in
            let entry = await exchange(authorization, base)
            if let self, case .token(let text) = entry {
                self.token = (text, self.clock.now().uptime + Self.tokenLasts)
            }
            then(entry)
        }
    }

    /// - Parameter since: when it was wanted; now, if not given.
    func permission(for endpoint: Endpoint, since: Moment? = nil) -> TokenPermission {
        let state = delivery.state
        return TokenPermission(
            for: endpoint, atHome: state.route?.place.isHome ?? false,
            provesHomeAssistant: registration.provesHomeAssistant, plainHTTP: plainHTTP,
            health: state.health[endpoint.kind], since: since ?? clock.now())
    }

    /// Gives the token for this endpoint, once it may have it.
    func admit(_ wanted: ChannelEndpoint, _ then: @escaping @LoopActor (PushChannel.Entry) -> Void)
    {
        waiting.removeAll(where: \.isForChannel)
        guard
            let endpoint = delivery.state.route?.endpoints.first(where: {
                ChannelEndpoint($0) == wanted
            })
        else { return then(.refused("this endpoint is no longer allowed")) }
        switch permission(for: endpoint) {
        case .granted: makeToken(wanted.url, then)
        case .refused(let reason): then(.refused(reason))
        case .afterReceipt: wait(for: endpoint, isForChannel: true, then)
        }
    }

    /// Has it prove itself first.
    private func wait(
        for endpoint: Endpoint, isForChannel: Bool,
        _ then: @escaping @LoopActor (PushChannel.Entry) -> Void
    ) {
        waiting.append(
            Waiting(
                isForChannel: isForChannel, endpoint: endpoint, since: clock.now(),
                then: then,
                hasAsked: !delivery.state.isAtWork))
        delivery.prove()
    }

    /// The courier may have been given the receipt that is waited for. A channel that has given up
    /// meanwhile gets no token: the next attempt asks for itself, and Home Assistant counts what it
    /// refuses.
    func deliveryChanged(channelIsOpening: Bool) {
        guard !waiting.isEmpty else { return }
        let all = waiting.filter { !$0.isForChannel || channelIsOpening }
        waiting = []
        for var one in all {
            guard delivery.state.route?.endpoints.contains(one.endpoint) == true,
                let wanted = ChannelEndpoint(one.endpoint)
            else {
                if !one.isForChannel { one.then(.refused("this endpoint is no longer allowed")) }
                continue
            }
            if permission(for: one.endpoint, since: one.since) == .granted {
                makeToken(wanted.url, one.then)
                continue
            }
            if !one.isForChannel, hasDenied(one) {
                one.then(.refused("Home Assistant does not know this registration"))
                continue
            }
            let asks = !one.hasAsked && !delivery.state.isAtWork
            one.hasAsked = one.hasAsked || asks
            waiting.append(one)
            if asks { delivery.prove() }
        }
    }

    /// Whether the endpoint has said since the wish that Home Assistant has no such registration.
    private func hasDenied(_ wish: Waiting) -> Bool {
        guard let health = delivery.state.health[wish.endpoint.kind],
            let failure = health.lastFailure
        else { return false }
        return health.problem?.isUnknownRegistration == true
            && failure.uptime >= wish.since.uptime
    }

    /// The token and the address for a page of Home Assistant's; nothing if it may not be asked for.
    func access() async -> Access? {
        let usable = delivery.state.route?.endpoints.filter { ChannelEndpoint($0) != nil } ?? []
        let granted = usable.first { permission(for: $0) == .granted }
        let endpoint = granted ?? usable.first { permission(for: $0) == .afterReceipt }
        guard let endpoint, let base = ChannelEndpoint(endpoint)?.url else { return nil }
        let entry = await withCheckedContinuation { continuation in
            let then: @LoopActor (PushChannel.Entry) -> Void = {
                continuation.resume(returning: $0)
            }
            if granted != nil { return makeToken(base, then) }
            timer.set(at: clock.now().uptime + Self.patience)
            wait(for: endpoint, isForChannel: false, then)
        }
        guard case .token(let token) = entry else { return nil }
        return Access(base: base, token: token)
    }

    /// Ends all requests for pages without a page.
    func giveUpPages() {
        let late = waiting.filter { !$0.isForChannel }
        waiting.removeAll { !$0.isForChannel }
        for one in late { one.then(.refused("no endpoint has given a receipt yet")) }
    }

    /// Addresses of Home Assistant's pages that need no token, the endpoint in use first.
    var openBases: [String] { delivery.state.openBases }

    /// Address of Home Assistant's pages, and the token for the pages. Secret.
    struct Access {
        let base: String
        let token: String
    }
}

extension PushChannel.Entry {
    /// Makes the entry by which the channel may open, from the outcome of the wish for a token.
    init(_ outcome: Result<String, RegistrationFailure>) {
        switch outcome {
        case .success(let token): self = .token(token)
        case .failure(.unauthorized), .failure(.forbidden):
            self = .unauthorized("Home Assistant refuses the refresh token")
        case .failure(let failure): self = .refused(failure.message)
        }
    }
}
