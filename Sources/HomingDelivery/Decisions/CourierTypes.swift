public import HomingBase
public import HomingLocation
public import HomingRoutes

/// Handling of locations that are too old for the map when they can be delivered (`backlog`).
public enum BacklogPolicy: String, CaseIterable, Sendable {
    /// Old locations are delivered as history, in `homing_track` events.
    case track
    /// Delivery of the newest location alone; a newer location replaces an older location.
    case latest
    /// Old locations are delivered like new locations, in order.
    case replay
}

/// Handling of the newest location when even that location is old (`stale_position`).
public enum StalePosition: String, CaseIterable, Sendable {
    /// The source gives a new location, and the map moves with the new location.
    case ask
    /// The old location is sent nevertheless.
    case send
}

/// Rows read from the queue for one round of delivery.
public struct OutboxRows: Equatable, Sendable {
    public var live: [OutboxEntry] = []
    public var events: [OutboxEntry] = []
    public var track: [OutboxEntry] = []
    public var sensors: [OutboxEntry] = []
    /// Whether there are live rows that were not to be read.
    public var liveWaits = false
    /// Whether a stream gave as many rows as were asked for, so that it may hold more.
    public var mayBeMore = false
}

/// Delay of a receipt, in time and in locations, while nothing else asks for the receipt.
public enum ReceiptPace: Equatable, Sendable {
    /// Half of `maxAge`, five minutes at most, and 150 positions.
    case usual
    /// A minute, and 50 positions: where what is not proved by then is written to the disk
    /// (`durability = crash`).
    case quick

    /// Seconds by which a receipt comes before the one before it stops counting, at most.
    private static let margin: Seconds = 5

    /// Positions that go out without a receipt, and seconds for which they do.
    private var limits: (positions: Int, seconds: Seconds) {
        switch self {
        case .usual: (Courier.maxUnproved, 300)
        case .quick: (50, 60)
        }
    }

    /// Positions that go out without a receipt.
    var positions: Int { limits.positions }

    /// Seconds from one receipt to the next. What was sent for the map is proved before it turns into
    /// history, and the connection gives the next receipt before `Courier.isTrusted` ends.
    func interval(maxAge: Seconds) -> Seconds {
        min(limits.seconds, maxAge / 2 - min(Self.margin, maxAge / 20))
    }
}

extension Courier {
    public struct Settings: Equatable, Sendable {
        /// Seconds for which a location is new enough for the map.
        public var maxAge: Seconds
        public var backlog: BacklogPolicy
        public var stalePosition: StalePosition
        /// Seconds that positions may wait for company; zone crossings never wait.
        public var batch: Seconds
        /// The same on a metered network or on battery.
        public var batchMetered: Seconds
        public var receipts: ReceiptPace

        public init(
            maxAge: Seconds = 300, backlog: BacklogPolicy = .track,
            stalePosition: StalePosition = .ask, batch: Seconds = 0, batchMetered: Seconds = 60,
            receipts: ReceiptPace = .usual
        ) {
            self.receipts = receipts
            self.maxAge = maxAge
            self.backlog = backlog
            self.stalePosition = stalePosition
            self.batch = batch
            self.batchMetered = batchMetered
        }
    }

    /// Cost of bytes and wakes.
    public enum Pace: Equatable, Sendable {
        case usual
        /// A metered network, or the battery.
        case dear
        /// Data is saved: what is not urgent waits so many seconds, or until another pace (`nil`). Of the
        /// positions that have waited, the newest is reported for the map and the others are history.
        case thrifty(wait: Seconds?)
    }

    public enum Event: Equatable, Sendable {
        /// A row was appended to a stream of the outbox. An urgent one does not wait for company.
        case accepted(Stream, urgent: Bool)
        /// The endpoints to use from now on. `networkChanged` forgets past failures.
        case route([Endpoint], networkChanged: Bool)
        /// The machine was registered again, or its registration forgotten; a `route` follows.
        case registrationChanged
        /// A power cut took the positions up to this number that are not in the outbox.
        case lost(through: Int64)
        /// Cost of bytes and wakes from now on.
        case pace(Pace)
        /// The answer to `StoreEffect.recall`.
        case recalled(live: [OutboxEntry], lastDelivered: Coordinate?)
        /// The answer to `StoreEffect.load`.
        case rows(OutboxRows)
        /// Result of `Effect.ask`.
        case answer(Answer)
        /// The queue could not do what a `StoreEffect` asked; what was to be read never comes.
        case storeFailed
        /// The time of the last `Effect.wake` has come.
        case wake
        /// Somebody wants everything delivered now, whatever the backoff says.
        case flush
        /// Home Assistant was reached otherwise: the push channel is open.
        case reachable
        /// Somebody has to know at once that it is our Home Assistant who answers: a receipt is
        /// asked, unless the route is failing.
        case prove
    }

    public enum Effect: Equatable, Sendable {
        /// Send it; exactly one `answer` follows, unless `cancel` comes first.
        case ask(Request, Endpoint)
        /// Forget the request under way.
        case cancel
        /// Do this to the queue. If the queue cannot do it, `storeFailed` follows, and no answer.
        case store(StoreEffect)
        /// Send `wake` at this uptime; replaces the one before.
        case wake(at: Seconds)
        case learned(HomeAssistantFacts)
        case learnedZones([Zone])
        /// Even the newest position is old: ask the source for a new one.
        case askPosition
        /// Somebody disabled these sensors in Home Assistant.
        case sensorsDisabled([String])
        /// The tracker showed a place of ours, and now one that this machine did not tell.
        case strangePlace
        /// A proved Home Assistant refused these rows; the text says how, for people.
        case rejected([EntryID], String)
        /// A request failed for the network's sake: is the network still what we think?
        case checkNetwork
    }

    /// Reason why nothing can be delivered at the moment.
    public struct Trouble: Equatable, Sendable {
        /// Uptime of the first failure since the last delivery.
        public var since: Seconds
        /// Problem that each endpoint had last.
        public var problems: [Endpoint.Kind: EndpointProblem]
    }
}
