internal import HomeAssistantAPI
internal import HomingDelivery
internal import HomingHTTP
internal import HomingJSON
internal import HomingRoutes
internal import HomingRuntime

/// Carries the courier's requests to a Home Assistant: `WebhookTransport`, or a test's.
@LoopActor protocol Transport: AnyObject {
    /// Sends the request; `completion` is called once and never from within, unless `cancel()` comes
    /// first.
    func sendRequest(
        _ request: Request, _ endpoint: Endpoint, completion: @escaping @LoopActor (Answer) -> Void)

    /// The ends of the connection that brought the last answer to a request; `nil` where they are not
    /// known.
    var path: ConnectionPath? { get }

    /// Sends the command by this endpoint, once, for somebody who waits.
    ///
    /// - Parameter timeout: seconds that the answer may take.
    func reply(
        to command: WebhookRequest, by endpoint: Endpoint, timeout: Seconds
    ) async -> DirectCall<JSONValue>.Reply

    /// Whether Home Assistant is behind the endpoint: `nil`, or why that is not known.
    func proof(of endpoint: Endpoint) async -> EndpointProblem?

    /// Sends zones in this format from now on.
    func use(_ format: ZoneFormat)

    /// Warm connections lead nowhere on another network.
    func dropConnections()

    /// Forgets the request under way.
    func cancel()
}
