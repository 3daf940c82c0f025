internal import HomeAssistantAPI
internal import HomingBase
internal import HomingDelivery
internal import HomingRoutes
internal import HomingRuntime

/// Walks the way with one command, as `DirectCall` decides.
enum DirectCaller {
    /// Asks until an endpoint has answered. Returns the outcome, and the endpoint that was asked
    /// last.
    @LoopActor static func ask(
        _ command: WebhookRequest, by endpoints: [Endpoint], _ transport: any Transport,
        timeout: Seconds
    ) async -> (DirectCall.Outcome, Endpoint?) {
        var call = DirectCall(
            endpoints: endpoints, expectsReply: command.expectsReply,
            repetition: command.isRepeatable ? .harmless : .harmful)
        var effect = call.begin()
        var last: Endpoint?
        while true {
            switch effect {
            case .send(let endpoint):
                last = endpoint
                effect = call.replied(
                    await transport.reply(to: command, by: endpoint, timeout: timeout))
            case .askReceipt(let endpoint):
                effect = call.proved(await transport.proof(of: endpoint))
            case .finish(let outcome): return (outcome, last)
            }
        }
    }
}
