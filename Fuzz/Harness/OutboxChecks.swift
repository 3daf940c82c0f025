internal import HomeAssistantAPI
internal import HomingDelivery
internal import HomingHTTP
internal import HomingJSON
internal import HomingLocation
internal import HomingRuntime

@testable internal import HomingAgent
@testable internal import HomingDelivery

/// Checks that hold for every queue, whatever was in its file. The counters balance, and the rows
/// can be reported to Home Assistant.
@LoopActor struct OutboxChecks {
    private let transport: WebhookTransport
    private let envelope = WebhookEnvelope(sealer: nil)

    init() throws {
        transport = try WebhookTransport(
            TransportParts(
                http: HTTPClient(userAgent: "Homing"),
                registration: Samples.registration(secret: nil), outboxID: "outbox",
                socket: SocketCarrier(clock: SystemClock()) { nil }))
    }

    /// Everything an agent does with it, once.
    func exercise(_ store: any OutboxStore) throws {
        _ = try store.append(Samples.position, acceptedAt: 1000, expiresAt: nil)
        try store.expire(at: 10, acceptedBefore: 0)
        _ = try store.moveToHistory(acceptedBefore: 100, keepingNewest: false)
        for stream in HomingDelivery.Stream.allCases {
            let history = try store.entries(stream, freshness: .history, after: 0, limit: 1000)
            let live = try store.entries(stream, freshness: .live, after: 0, limit: 1000)
            let rows = stream == .location ? history + live : live
            try check(rows, of: stream, in: store)
            try store.settle(rows.map(\.id), as: .deliveredLive)
            let ledger = try store.ledger(stream)
            require(ledger.balances && ledger.queued == 0, "\(stream.name): \(ledger)")
            _ = try store.oldest(stream)
        }
        _ = try store.lastDelivered()
        try store.supersedeOlderPositions()
    }

    private func check(
        _ rows: [OutboxEntry], of stream: HomingDelivery.Stream, in store: any OutboxStore
    ) throws {
        let ids = rows.map(\.id)
        require(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }, "out of order: \(ids)")
        let ledger = try store.ledger(stream)
        require(ledger.balances, "\(stream.name) does not balance: \(ledger)")
        require(ledger.queued == rows.count, "\(rows.count) rows, \(ledger.queued) in the book")
        for row in rows { try check(row) }
        if stream == .location { try send(.track(rows)) }
    }

    private func check(_ row: OutboxEntry) throws {
        require(row.acceptedAt.isFinite && row.expiresAt?.isFinite ?? true, "\(row)")
        switch row.message {
        case .location(let message):
            let time =
                switch message.place {
                case .fix(let fix): fix.time
                case .zone(_, let time): time
                }
            require(time.isFinite && message.battery?.isFinite ?? true, "\(row)")
            let command = transport.command(for: .location(row), nonce: Samples.nonce)
            if case .updateLocation(let update)? = command {
                try SentLocation.check(update)
            } else if case .zone(let name, _) = message.place {
                require(name.isEmpty || name.count > 255, "a zone that cannot be told: \(row)")
            } else {
                require(false, "a position that cannot be told: \(row)")
            }
        case .event: try send(.event(row))
        case .sensor: try send(.sensors([row]))
        }
    }

    /// Writes the message as it is sent, which must be JSON.
    private func send(_ request: Request) throws {
        guard let command = transport.command(for: request, nonce: Samples.nonce) else {
            return require(false, "no command for \(request)")
        }
        require(isObject(try envelope.body(for: command)), "no JSON: \(request)")
    }
}
