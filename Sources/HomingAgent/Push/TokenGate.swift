internal import HomeAssistantAPI
internal import HomingCore
internal import HomingRuntime
internal import HomingTransport

/// Keeps the token from every endpoint that may not have it, and has an endpoint prove itself where
/// it must.
@LoopActor final class TokenGate {
    private struct Waiting {
        let endpoint: Endpoint
        let then: @LoopActor (PushChannel.Entry) -> Void
        /// Whether the courier was asked while it had the time.
        var hasAsked: Bool
    }

    /// Makes an access token of what the registration keeps, with the Home Assistant at this address.
    typealias Exchange = @LoopActor (Registration.Authorization, String) async -> PushChannel.Entry

    /// Seconds for which a token is used again.
    private static let tokenLasts: Seconds = 300

    private unowned let pipeline: Pipeline
    private let registration: Registration
    private let plainHTTP: PlainHTTPToken
    private let exchange: Exchange
    private var waiting: Waiting?
    private var token: (text: String, until: Seconds)?

    init(
        pipeline: Pipeline, registration: Registration, plainHTTP: PlainHTTPToken,
        exchange: @escaping Exchange
    ) {
        self.pipeline = pipeline
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
        if let token, token.until > pipeline.clock.now().uptime { return then(.token(token.text)) }
        let exchange = exchange
        spawn { [weak self] in
            let entry = await exchange(authorization, base)
            if case .token(let text) = entry {
                self?.keep(text)
            }
            then(entry)
        }
    }

    private func keep(_ text: String) {
        token = (text, pipeline.clock.now().uptime + Self.tokenLasts)
    }

    func permission(for endpoint: Endpoint) -> TokenPermission {
        TokenPermission(
            for: endpoint, atHome: pipeline.way?.place.isHome ?? false,
            isSealed: registration.secret != nil, plainHTTP: plainHTTP,
            health: pipeline.courier.health[endpoint.kind], at: pipeline.clock.now())
    }

    /// Gives the token for this way, once it may have it.
    func admit(_ way: PushWay, _ then: @escaping @LoopActor (PushChannel.Entry) -> Void) {
        waiting = nil
        guard let endpoint = pipeline.way?.endpoints.first(where: { PushWay($0) == way })
        else { return then(.refused("this way may not be used any more")) }
        switch permission(for: endpoint) {
        case .granted: makeToken(way.url, then)
        case .refused(let reason): then(.refused(reason))
        case .afterReceipt:
            waiting = Waiting(
                endpoint: endpoint, then: then, hasAsked: !pipeline.courier.isAtWork)
            pipeline.tell(.prove)
        }
    }

    /// The courier may have been given the receipt that is waited for.
    func pipelineChanged() {
        guard let waiting else { return }
        guard pipeline.way?.endpoints.contains(waiting.endpoint) == true else {
            self.waiting = nil
            return
        }
        if permission(for: waiting.endpoint) == .granted, let way = PushWay(waiting.endpoint) {
            self.waiting = nil
            return makeToken(way.url, waiting.then)
        }
        guard !waiting.hasAsked, !pipeline.courier.isAtWork else { return }
        self.waiting?.hasAsked = true
        pipeline.tell(.prove)
    }

    /// The token and the address for a page of Home Assistant's, if one may be asked for it now.
    func access(_ then: @escaping @LoopActor (Access?) -> Void) {
        let granted = pipeline.way?.endpoints.first {
            PushWay($0) != nil && permission(for: $0) == .granted
        }
        guard let base = granted.flatMap({ PushWay($0) })?.url else { return then(nil) }
        makeToken(base) { entry in
            if case .token(let token) = entry {
                then(Access(base: base, token: token))
            } else {
                then(nil)
            }
        }
    }

    /// Where Home Assistant's pages are, and the token for them. Secret.
    struct Access {
        let base: String
        let token: String
    }
}
