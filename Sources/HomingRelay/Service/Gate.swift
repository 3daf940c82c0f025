internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingServer

/// Lends the throttle to all parts that judge clients, and limits the rate of posts.
@LoopActor final class Gate {
    /// Sender whose posts count together. A revoked token uses up nothing of the present token's
    /// burst.
    private struct Sender: Hashable {
        let mailbox: MailboxID
        let generation: UInt16
    }

    /// Posts of a token in a second, once its burst is used up.
    private static let steadyRate = 10.0

    private var throttle = Throttle<ClientAddress>()
    private var posts: BurstLimit<Sender>
    private let clock: any Clockwork

    /// - Parameter burst: posts of a token at once; 0 for any number.
    init(burst: Int, _ clock: any Clockwork) {
        self.clock = clock
        posts = BurstLimit(burst: burst, rate: Self.steadyRate)
    }

    /// Whether another post by that token may go to the store; if so it counts.
    func admitsPost(by token: PushToken) -> Bool {
        posts.admits(
            Sender(mailbox: token.mailbox, generation: token.generation), at: clock.now().uptime)
    }

    /// Lends the throttle, and the uptime.
    func judge<Value, Failure: Error>(
        _ body: (inout Throttle<ClientAddress>, Seconds) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(&throttle, clock.now().uptime)
    }
}
