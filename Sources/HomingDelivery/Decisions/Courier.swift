public import HomingBase
public import HomingLocation
public import HomingRoutes

/// Decides what is sent when, to which endpoint, and which rows may be settled.
///
/// One request is under way at a time. An *attempt* walks the endpoints until one of them takes
/// everything; a *session* is the work on one endpoint. Rows leave the outbox only when a receipt
/// proves them delivered, or a Home Assistant that has just proved itself cannot take them.
///
/// Long: one state machine, whose steps share one session. A file holds a chapter: the walk along
/// the endpoints, the session, the answers, the sensors, reloads, other machines.
public struct Courier: Sendable {
    enum Phase: Sendable {
        /// Absence of work, as far as is known.
        case idle
        /// The route failed; tried again at this uptime.
        case resting(until: Seconds)
        /// Waiting for an answer or for rows.
        case waiting(Awaiting)
    }

    /// Seconds after which Home Assistant's configuration and zones are asked again.
    static let configurationInterval: Seconds = 86_400
    /// Seconds from one such question to the next where something hints at a change: a reload, and
    /// what may have other causes.
    static let hintedInterval: (reload: Seconds, other: Seconds) = (60, 3600)
    /// Positions sent without a receipt at most; `recall` reads one more than that.
    static let maxUnproved = 150
    /// Events, sensors' states and history sent without a receipt at most.
    static let maxUnprovedOthers = 50
    /// Seconds of rest after the outbox could not be written: what is sent could not be settled,
    /// and would be sent again and again. A row that is accepted shows that it can be written to,
    /// and shortens the rest to the first figure.
    static let storeRest: (least: Seconds, most: Seconds) = (5, 300)

    /// Number of times that a row may not be taken before the row is rejected. A Home Assistant
    /// that is starting can miss a row, and prove itself a moment later.
    static let maxDoubts = 3

    /// Seconds allowed for delivery after a wait for company.
    static let companyTime: Seconds = 60

    public var settings: Settings
    /// Health of each endpoint, as far as is known.
    public internal(set) var health: [Endpoint.Kind: EndpointHealth] = [:]
    /// Reason why nothing can be delivered, if there is such a reason.
    public internal(set) var trouble: Trouble?
    /// Whether an attempt is under way.
    public var isAtWork: Bool { if case .waiting = phase { true } else { false } }
    /// The endpoint in use: the one that proved itself last, and works still.
    public var current: Endpoint.Kind? {
        session?.hasProved == true ? session?.endpoint.kind : nil
    }
    /// Rows that were sent, and wait for their receipt alone.
    public var unconfirmed: RowCounts { session?.sent.rows ?? RowCounts() }
    /// Uptime of the next attempt, while the route is failing or positions wait for their tracker.
    public var nextAttempt: Seconds? {
        // Swift 6.3.1's optimiser ends in an assertion when it inlines this elsewhere.
        @inline(never) get {
            guard case .resting(let until) = phase else { return isHeld ? nil : trackerDue }
            return until
        }
    }

    /// Whether the connection in use gave a receipt within the last half of `maxAge`.
    public func isTrusted(at now: Moment) -> Bool {
        guard session?.mustProve == false, session?.careful == false,
            let last = session?.lastReceipt
        else { return false }
        return now.uptime - last <= settings.maxAge / 2
    }

    public internal(set) var endpoints: [Endpoint] = []
    var phase = Phase.idle
    var session: CourierSession?
    /// Endpoints that failed in this attempt, with the reason.
    var tried: [Endpoint.Kind: EndpointProblem] = [:]
    var backoff: Backoff
    var lastProved: Endpoint.Kind?
    /// The outbox may hold something that this attempt has not loaded.
    var dirty = true
    /// Uptime at which accepted rows have waited long enough for company.
    var due: Seconds?
    /// Whether something that may not wait has not gone home yet. The first attempt after a start may
    /// not wait either.
    var isUrgent = true
    /// Rows may have been sent whose answer or receipt we have not seen.
    var inDoubt = true
    /// Whether the last receipt showed our tracker.
    public internal(set) var hasSeenTracker = false
    /// Tells a reload of the registration from two receipts.
    var reloads = ReloadWitness()
    /// The registration was reloaded since a receipt vouched for everything sent: for some moments
    /// positions were answered as ever and lost. So the next one proves the position it shows alone.
    var hasReloaded = false
    /// The last of the positions that a power cut took, until Home Assistant shows whether it knows
    /// one of them.
    var lostThrough: Int64?
    /// Notices another machine with our registration.
    var others = OthersWatch()
    /// Number of times that each row was not taken, sent alone.
    var doubts: [EntryID: Int] = [:]
    /// Uptime of the last `get_config`, and from which it is due again.
    var configuredAt: Seconds?
    var configurationDue: Seconds = -.infinity
    /// Whether `get_zones` has followed it.
    var hasZones = false
    public internal(set) var zones: [Zone] = []
    /// The zones before the last change: a tracker may still show the centre of such a zone.
    var formerZones: [Zone] = []
    var pace = Pace.usual
    var askedForPosition = false
    /// Somebody waits for proof: no receipt is put off.
    var hurried = false
    /// Uptime at which the tracker is looked for again, while positions wait for it.
    var trackerDue: Seconds?
    /// Uptime at which a row could not be settled, while resting for that.
    var storeFailedAt: Seconds?

    /// - Parameter seed: for the jitter of the backoff.
    public init(settings: Settings, seed: UInt64) {
        self.settings = settings
        backoff = Backoff(seed: seed)
    }

    /// Takes an event and says what to do, in order.
    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        switch event {
        case .accepted(let stream, let urgent): accepted(stream, urgent: urgent, now)
        case .route(let endpoints, let networkChanged):
            routeChanged(endpoints, networkChanged: networkChanged, now)
        case .registrationChanged: registrationChanged()
        case .lost(let number): lost(through: number)
        case .pace(let pace): setPace(pace, now)
        case .recalled(let live, let lastDelivered):
            recalled(live, lastDelivered: lastDelivered, now)
        case .rows(let rows): loaded(rows, now)
        case .answer(let answer): answered(answer, now)
        case .storeFailed: storeFailed(now)
        case .wake: wake(now)
        case .flush: flush(now)
        case .reachable: reachable(now)
        case .prove: prove(now)
        }
    }

    private mutating func accepted(
        _ stream: Stream, urgent: Bool, _ now: Moment
    ) -> [Effect] {
        if urgent { isUrgent = true }
        if stream == .location, session?.lacksTracker == true, !isAtWork {
            // It waits like those before it; the first one has the tracker looked for.
            if trackerDue == nil {
                if isHeld { trackerDue = now.uptime } else { lookForTracker(now) }
            }
            return proceed(now)
        }
        dirty = true
        let wait = urgent ? 0 : longestWait
        // While data is saved, a receipt that goes anyway takes nothing along.
        if !isThrifty || wait == 0 { session?.mayHaveMore = true }
        due = min(due ?? .infinity, now.uptime + wait)
        if case .resting = phase, let storeFailedAt {
            phase = .resting(until: storeFailedAt + Self.storeRest.least)
            if now.uptime >= storeFailedAt + Self.storeRest.least { return wake(now) }
        }
        return proceed(now)
    }

    /// Whether data is saved.
    var isThrifty: Bool { if case .thrifty = pace { true } else { false } }

    /// Whether nothing is sent until the pace changes or something urgent comes.
    var isHeld: Bool { pace == .thrifty(wait: nil) && !isUrgent }

    /// Delivers what waits now, or as soon as the hold ends.
    mutating func sendSoon(_ now: Moment) { due = isHeld ? .infinity : now.uptime }

    /// Seconds that what is not urgent waits for company.
    private var longestWait: Seconds {
        switch pace {
        case .usual: settings.batch
        case .dear: settings.batchMetered
        case .thrifty(let wait): wait ?? .infinity
        }
    }

    private mutating func setPace(_ pace: Pace, _ now: Moment) -> [Effect] {
        let former = longestWait
        self.pace = pace
        // A receipt that comes first takes along what was accepted while data was saved.
        if dirty, !isThrifty { session?.mayHaveMore = true }
        // What waits for company on a dear network need not wait on a cheap one.
        if dirty, pace == .usual || longestWait < former {
            // An attempt under way takes along what came after it had read the queue.
            if isAtWork, due != nil { session?.mayHaveMore = true }
            due = min(due ?? .infinity, now.uptime + longestWait)
        }
        if pace == .thrifty(wait: nil), let due, !isUrgent || due > now.uptime {
            self.due = .infinity
        }
        return proceed(now)
    }

    private mutating func flush(_ now: Moment) -> [Effect] {
        dirty = true
        session?.mayHaveMore = true
        due = now.uptime
        isUrgent = true
        hurried = true
        if case .resting = phase { phase = .idle }
        storeFailedAt = nil
        if trackerDue != nil, !isAtWork { lookForTracker(now) }
        return proceed(now)
    }

    private mutating func prove(_ now: Moment) -> [Effect] {
        guard case .idle = phase else { return [] }
        if session != nil {
            tried = [:]
            return askToClose(now)
        }
        // A session that begins in doubt begins with a receipt.
        inDoubt = true
        dirty = true
        isUrgent = true
        due = now.uptime
        return proceed(now)
    }

    private mutating func wake(_ now: Moment) -> [Effect] {
        if case .resting(let until) = phase, now.uptime >= until {
            phase = .idle
            storeFailedAt = nil
            sendSoon(now)
        }
        return proceed(now)
    }

    /// Starts what is due, or says when that will be.
    mutating func proceed(_ now: Moment) -> [Effect] {
        switch phase {
        case .waiting: return []
        case .resting(let until): return [.wake(at: until)]
        case .idle: break
        }
        let trackerDue = isHeld ? nil : trackerDue
        if let trackerDue, now.uptime >= trackerDue { lookForTracker(now) }
        if dirty, let due, now.uptime >= due { return beginAttempt(now) }
        if let receiptDue, now.uptime >= receiptDue {
            tried = [:]
            return askToClose(now)
        }
        let next = min(
            dirty ? due ?? .infinity : .infinity, receiptDue ?? .infinity, trackerDue ?? .infinity)
        return next.isFinite ? [.wake(at: next)] : []
    }

    /// Uptime at which the positions sent singly get their receipt.
    private var receiptDue: Seconds? {
        guard session?.sent.isEmpty == false else { return nil }
        return (session?.lastReceipt ?? 0) + receiptInterval
    }

    /// Seconds between receipts while single positions flow.
    var receiptInterval: Seconds { settings.receipts.interval(maxAge: settings.maxAge) }
}
