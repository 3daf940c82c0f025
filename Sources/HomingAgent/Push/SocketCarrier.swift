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

    /// Seconds after which a socket that says nothing is not used any more; HTTP is tried then.
    static let patience: Seconds = 10
    /// Bytes of a request's body: a larger one would keep confirmations waiting behind it.
    static let limit = 64 << 10

    private let channel: @LoopActor () -> PushChannel?
    private let clock: any Clockwork
    private var timer: (any Alarm)?
    /// The socket that answered last, and the one that did not, by their numbers.
    private var proved: Int?
    private var distrusted: Int?
    private var generation = 0
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
        let end: @LoopActor (Outcome) -> Void = { [weak self] outcome in
            guard let self, self.generation == mine else { return }
            self.generation += 1
            self.timer = nil
            completion(outcome)
        }
        let lose: @LoopActor () -> Void = { [weak self] in
            self?.distrusted = socket
            end(.lost)
        }
        timer = clock.once(after: Self.patience, lose)
        let isTaken = channel.send(webhook: body) { [weak self, weak channel] reply in
            guard let self else { return }
            guard let reply else { return lose() }
            let isFirst = self.proved != socket
            self.proved = socket
            end(
                .answered(
                    status: reply.status, body: reply.body, isFirst: isFirst, path: channel?.path))
        }
        if !isTaken { timer = nil }
        return isTaken
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
        generation += 1
        timer = nil
    }
}
