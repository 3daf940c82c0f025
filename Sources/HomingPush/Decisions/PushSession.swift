internal import HomeAssistantAPI
public import HomingBase

/// The push channel: keeps one WebSocket to Home Assistant open and subscribed, and confirms what
/// comes over it.
///
/// What it knows of Home Assistant (2024.3 to 2026.11, mobile_app/push_notification.py):
/// - A notification that is not confirmed within 10 s ends the channel, and nothing is said on the
///   socket. So it is confirmed at once, before it is shown; `not_found` to a confirmation means that
///   the channel is gone, and so it is subscribed again, and once an hour in any case.
/// - `unknown_command` and `not_found` to a subscription are what it says while it starts.
/// - `auth_invalid` counts towards its ban of a host, so three of them are the last.
/// - It pings every 55 s. If nothing at all is heard for 70 s, we ping; 30 s later the socket is
///   dead, and opened again.
///
/// Long: one protocol, whose steps share one state. Connection and channel have a file each.
public struct PushSession: Sendable {
    enum Phase: Equatable {
        case idle
        case waiting(until: Seconds)
        case opening
        case authenticating
        /// Signed in and not subscribed; the next try is at `retryAt`, or one is under way.
        case subscribing(retryAt: Seconds?)
        case open
    }

    /// Message that is to come before a deadline.
    enum Expected: Equatable {
        case answer
        case pong
    }

    /// Seconds for the server to answer, and for the socket to open.
    static let patience: Seconds = 30
    /// Seconds of silence after which we ask.
    static let silence: Seconds = 70
    /// Seconds for which a channel must be open to count as a good one, unless a confirmation was
    /// taken over it.
    static let proof: Seconds = 60
    static let resubscribeInterval: Seconds = 3600
    /// Seconds between two subscriptions at the least.
    static let subscribeSpacing: Seconds = 5
    static let refusalLimit = 3
    /// Confirmations without an answer that are remembered.
    static let confirmationLimit = 256

    var phase = Phase.idle
    var endpoints: [ChannelEndpoint] = []
    /// Endpoints of the present walk that were not tried yet.
    var untried: [ChannelEndpoint] = []
    /// Home Assistant became reachable during the present walk: one more follows it at once.
    var walksAgain = false
    /// The worst that happened in the present walk.
    var cause = Backoff.Cause.network
    var backoff: Backoff
    var subscribeBackoff: Backoff
    var isAsleep = false
    var refusals = 0

    // Of the present connection.
    var lastID = 0
    var subscription: Int?
    var subscribedAt: Seconds = 0
    /// Since when there has been a channel without a break.
    var openSince: Seconds = 0
    /// Whether Home Assistant closed the channel, and another one is asked for.
    var isChannelGone = false
    var lastHeard: Seconds = 0
    /// Whether Home Assistant took a confirmation.
    var hasConfirmed = false
    var deadline: (what: Expected, at: Seconds)?
    /// Confirmations under way: the subscription by which the message came, and the message's id.
    var confirmations: [Int: (channel: Int, message: String)] = [:]
    /// Messages whose confirmation Home Assistant has not taken, as far as is known.
    private(set) var unconfirmed: Set<String> = []
    var deduplicator: Deduplicator

    /// The endpoint of the present socket, or of the last.
    public internal(set) var endpoint: ChannelEndpoint?
    /// The version Home Assistant named when it let us in.
    public internal(set) var serverVersion: String?
    /// Reason why there is no channel, for people.
    public internal(set) var problem: String? {
        didSet { problem = problem?.bounded(Bound.reason) }
    }
    /// Seconds since 1970 of the last message, by whichever carrier.
    public internal(set) var lastMessage: Seconds?
    /// Seconds since 1970 of the last confirmation that Home Assistant took.
    public internal(set) var lastConfirmed: Seconds?
    /// Messages that came again and were not shown again.
    public internal(set) var duplicates = 0
    /// Number of channels that were opened while no channel was there. At each of these moments
    /// Home Assistant hands over what the channel before had not confirmed.
    public internal(set) var openings = 0

    /// - Parameter remembered: `remembered` of the session before, so that a restart shows nothing
    ///   twice.
    public init(seed: UInt64, remembered: [String] = []) {
        backoff = Backoff(seed: seed)
        subscribeBackoff = Backoff(seed: seed &+ 1)
        deduplicator = Deduplicator(remembered: remembered)
    }

    /// Whether Home Assistant refused the token when it was last shown.
    public var isTokenRefused: Bool { refusals > 0 }

    /// Identities of the messages that came already.
    public var remembered: [String] { deduplicator.remembered }

    /// State of the channel.
    public var state: State {
        if isStopped { return .stopped }
        if isAsleep { return .asleep }
        return switch phase {
        case .idle: .off
        case .waiting(let time): .waiting(until: time)
        case .opening, .authenticating, .subscribing: .connecting
        case .open: .open(since: openSince)
        }
    }

    /// Whether there are messages that Home Assistant may hand to a relay, as it did not take their
    /// confirmations.
    public var hasUnconfirmed: Bool { !unconfirmed.isEmpty }

    /// `remembered` is on the disk: what Home Assistant hands to a relay will be known.
    public mutating func noteKept() { unconfirmed = [] }

    mutating func noteConfirmed(_ message: String, _ isTaken: Bool) {
        if isTaken {
            unconfirmed.remove(message)
        } else if unconfirmed.count < Self.confirmationLimit {
            unconfirmed.insert(message)
        }
    }

    /// An id for a command of somebody else's over the same socket, such as `webhook/handle`; `nil`
    /// unless the channel is open. Ids must rise in the order in which commands are sent.
    public mutating func claimID() -> Int? {
        phase == .open ? nextID() : nil
    }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    var isStopped: Bool { refusals >= Self.refusalLimit }

    var hasSocket: Bool {
        switch phase {
        case .idle, .waiting: false
        case .opening, .authenticating, .subscribing, .open: true
        }
    }

    /// The one way in.
    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        let wakeBefore = nextWake
        var effects = act(on: event, at: now)
        if let wake = nextWake, wake != wakeBefore || event == .wake {
            effects.append(.wake(at: wake))
        }
        return effects
    }

    private mutating func act(on event: Event, at now: Moment) -> [Effect] {
        switch event {
        case .endpoints(let endpoints, let networkChanged):
            return changeEndpoints(endpoints, networkChanged: networkChanged, at: now)
        case .sleep:
            isAsleep = true
            return end()
        case .resume:
            isAsleep = false
            return startAfresh(at: now)
        case .reachable:
            return becameReachable(at: now)
        case .opened:
            return hasOpened(at: now)
        case .lost(let loss):
            return hasSocket ? lost(loss, at: now) : []
        case .heard:
            lastHeard = now.uptime
            return []
        case .received(let message):
            lastHeard = now.uptime
            return hasSocket ? received(message, at: now) : []
        case .relayed(let payload, let origin):
            return accept(payload, from: origin, at: now)
        case .wake:
            return timePassed(at: now)
        }
    }

    /// Shows it unless it has come before.
    mutating func accept(
        _ payload: NotificationPayload, from origin: PushOrigin, at now: Moment
    ) -> [Effect] {
        lastMessage = now.unixTime
        if let identity = payload.confirmID, !deduplicator.isNew(identity) {
            duplicates += 1
            return []
        }
        return [.show(payload, origin)]
    }
}
