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

    private unowned let pipeline: Pipeline
    private let registration: Registration
    private let plainHTTP: PlainHTTPToken
    private var waiting: Waiting?

    init(pipeline: Pipeline, registration: Registration, plainHTTP: PlainHTTPToken) {
        self.pipeline = pipeline
        self.registration = registration
        self.plainHTTP = plainHTTP
    }

    /// An access token, if the registration has one. Secret.
    var token: String? {
        guard let authorization = registration.authorization, authorization.kind == .longLived
        else { return nil }
        return authorization.token
    }

    func permission(for endpoint: Endpoint) -> TokenPermission {
        TokenPermission(
            for: endpoint, atHome: pipeline.way?.place.isHome ?? false,
            isSealed: registration.secret != nil, plainHTTP: plainHTTP,
            health: pipeline.courier.health[endpoint.kind], at: SystemClock.now())
    }

    /// Gives the token for this way, once it may have it.
    func admit(_ way: PushWay, _ then: @escaping @LoopActor (PushChannel.Entry) -> Void) {
        waiting = nil
        guard let token, let endpoint = pipeline.way?.endpoints.first(where: { PushWay($0) == way })
        else { return then(.refused("this way may not be used any more")) }
        switch permission(for: endpoint) {
        case .granted: then(.token(token))
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
        if permission(for: waiting.endpoint) == .granted, let token {
            self.waiting = nil
            return waiting.then(.token(token))
        }
        guard !waiting.hasAsked, !pipeline.courier.isAtWork else { return }
        self.waiting?.hasAsked = true
        pipeline.tell(.prove)
    }

    /// The token and the address for a page of Home Assistant's, if one may be asked for it now.
    func access() -> (base: String, token: String)? {
        guard let token else { return nil }
        for endpoint in pipeline.way?.endpoints ?? [] {
            guard let way = PushWay(endpoint), permission(for: endpoint) == .granted else {
                continue
            }
            return (way.url, token)
        }
        return nil
    }
}
