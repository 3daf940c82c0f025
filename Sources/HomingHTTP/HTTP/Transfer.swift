public import HomingRuntime

/// A request on its way. Ends exactly once, in its completion.
@LoopActor public final class Transfer {
    let request: HTTPRequest
    /// Handle of libcurl that carries the transfer, while the transfer runs.
    private(set) var easy: CurlEasy?
    private var completion: HTTPClient.Completion?
    /// Held until the end, so that the completion is called even if nobody else holds the client.
    private var client: HTTPClient?

    init(_ request: HTTPRequest, client: HTTPClient?, completion: HTTPClient.Completion? = nil) {
        self.request = request
        self.client = client
        self.completion = completion
    }

    /// libcurl carries it with this handle from now on; with none once it has ended.
    func use(_ easy: CurlEasy?) { self.easy = easy }

    /// Calls this at the end, once.
    func atEnd(_ completion: @escaping HTTPClient.Completion) { self.completion = completion }

    /// Ends it with `cancelled`, on the loop's next turn; does nothing once it has ended.
    public func cancel() { client?.cancel(self) }

    func finish(_ result: Result<HTTPResponse, HTTPFailure>) {
        let completion = self.completion
        self.completion = nil
        client = nil
        completion?(result)
    }
}
