internal import HomeAssistantAPI
internal import HomingHTTP
internal import HomingPush
internal import HomingRoutes
internal import HomingRuntime

/// Carries webhook requests over the WebSocket that notifications keep open (`webhook/handle`): a
/// fifth fewer bytes than by HTTP, and no second connection. What it does not carry goes by HTTP.
@LoopActor final class SocketCarrier {
    /// Outcome of a request that was taken.
    enum Outcome {
        /// - isFirst: nothing has been answered over this socket before.
        case answered(status: Int, body: [UInt8], isFirst: Bool, path: ConnectionPath?)
        /// The socket ended first, or said nothing: it may have arrived, or not.
        case lost
    }

    /// The request under way.
    private struct Pending {
        let number: Int
        let socket: Int
        let completion: @LoopActor (Outcome) -> Void
    }

    /// Seconds after which a socket that says nothing is not used any more; HTTP is tried then.
    static let patience: Seconds = 10
    /// Bytes of a request's body: a larger one would keep confirmations waiting behind it.
    static let limit = 64 << 10

    private let channel: @LoopActor () -> PushChannel?
    private let clock: any Clockwork
    private lazy var deadline = clock.deadline { [weak self] in self?.waitedLong() }
    /// The socket that answered last, and the one that did not, by their numbers.
    private var proved: Int?
    private var distrusted: Int?
    private var generation = 0
    private var pending: Pending?
    /// The last endpoint as the channel knows it, which is mostly the next too.
    private var known: (endpoint: Endpoint, channel: ChannelEndpoint?)?

    init(clock: any Clockwork, channel: @escaping @LoopActor () -> PushChannel?) {
        self.clock = clock
        self.channel = channel
    }

    /// Sends it if the socket leads where the endpoint does; whether it was taken. The completion is
    /// called once if it was, unless another request or `forget()` comes first.
    func send(
        _ body: [UInt8], to endpoint: Endpoint, completion: @escaping @LoopActor (Outcome) -> Void
    ) -> Bool {
        guard body.count <= Self.limit, let channel = channel(),
            let own = channelEndpoint(endpoint),
            let socket = channel.openSocket(to: own), socket != distrusted
        else { return false }
        generation += 1
        let mine = generation
        pending = Pending(number: mine, socket: socket, completion: completion)
        deadline.set(after: Self.patience, exactly: true)
        let isTaken = channel.send(webhook: body) { [weak self] reply in
            self?.handleReply(reply, to: mine, over: socket)
        }
        if !isTaken { forgetPending() }
        return isTaken
    }

    private func handleReply(_ reply: WebSocketMessage.Reply?, to number: Int, over socket: Int) {
        guard let reply else { return lose(number, socket) }
        let isFirst = proved != socket
        proved = socket
        end(
            number,
            .answered(
                status: reply.status, body: reply.body, isFirst: isFirst, path: channel()?.path))
    }

    private func waitedLong() {
        if let pending { lose(pending.number, pending.socket) }
    }

    private func lose(_ number: Int, _ socket: Int) {
        distrusted = socket
        end(number, .lost)
    }

    private func end(_ number: Int, _ outcome: Outcome) {
        guard let pending, pending.number == number else { return }
        forgetPending()
        pending.completion(outcome)
    }

    private func forgetPending() {
        pending = nil
        deadline.cancel()
    }

    private func channelEndpoint(_ endpoint: Endpoint) -> ChannelEndpoint? {
        if let known, known.endpoint == endpoint { return known.channel }
        let own = ChannelEndpoint(endpoint)
        known = (endpoint, own)
        return own
    }

    /// Forgets the former channel; another channel counts its sockets from zero.
    func forget() {
        (proved, distrusted) = (nil, nil)
        forgetPending()
    }
}
