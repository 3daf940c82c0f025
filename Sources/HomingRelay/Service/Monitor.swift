internal import HomingRuntime
internal import HomingServer

/// Tells monitoring how the relay fares, on a listener of its own: `/health`, `/ready`, `/metrics`.
///
/// It serves no mailbox, and takes no body. It asks for no password, so it listens only where an
/// address is configured.
@LoopActor final class Monitor {
    /// The pages for monitoring.
    enum Page: String, CaseIterable {
        /// The loop turns.
        case health = "/health"
        /// The relay takes notifications.
        case ready = "/ready"
        /// Counts for Prometheus.
        case metrics = "/metrics"
    }

    private var server: HTTPServer?

    /// Addresses at which the monitor listens, with the ports that the system chose.
    var addresses: [ListenAddress] { server?.addresses ?? [] }

    /// Serves at once.
    ///
    /// - Parameter answer: of each page.
    init(
        on addresses: [ListenAddress], clock: any Clockwork,
        answer: @escaping @LoopActor (Page, ServerRequest) -> Void
    ) throws(ServerFailure) {
        var limits = ServerLimits()
        limits.body = 0
        limits.connections = 64
        limits.perAddress = 32
        server = try HTTPServer(
            on: addresses, limits: limits, clock: clock, refusal: { $0.relayAnswer },
            take: { request in
                guard let page = Page(rawValue: request.path) else {
                    return request.answer(Self.failure(404, "This path does not exist."))
                }
                guard ["GET", "HEAD"].contains(request.method) else {
                    return request.answer(Self.failure(405, "This page is read by GET."))
                }
                answer(page, request)
            })
    }

    /// An error as JSON.
    static func failure(_ status: Int, _ message: String) -> ServerAnswer {
        ServerAnswer(status, json: Array("{\"message\":\"\(message)\"}".utf8))
    }

    func end() async {
        await server?.end()
        server = nil
    }
}
