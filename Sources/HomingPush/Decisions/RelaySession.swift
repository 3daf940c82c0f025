public import HomingBase
public import HomingRelayProtocol

/// The device's end of the relay's protocol: keeps the connection that is wanted, proves whose mailbox
/// it is, and acknowledges what has been taken over.
///
/// The relay speaks first (`hello`, with a challenge), the device answers (`proof`), the relay says what
/// waits (`ready`) and sends it. At most `RelayFrame.window` messages are under way unacknowledged. If
/// nothing is heard for four minutes, we ping; 30 s later the connection is dead.
public struct RelaySession: Sendable {
    enum Phase: Equatable {
        case idle
        case waiting(until: Seconds)
        case opening
        /// The relay is to say hello.
        case greeting
        /// The relay is to say that the proof is right.
        case proving
        case open
    }

    /// Seconds for the relay to answer, and for the socket to open.
    static let patience: Seconds = 30
    /// Seconds of silence after which the machine pings; a relay closes a socket after 900 s of silence.
    static let silence: Seconds = 240
    /// Seconds without a message after which nothing more is expected of those that waited: some may
    /// have expired meanwhile.
    static let lull: Seconds = 10

    var phase = Phase.idle
    var wish = RelayAttention.Wish.none
    var backoff: Backoff
    /// The uptime before which nothing is tried.
    var notBefore: Seconds = 0
    /// The uptime before which not even another network helps: the relay asked for a pause, or refuses us.
    var peaceUntil: Seconds = 0

    // Of the present connection.
    var openSince: Seconds = 0
    var lastHeard: Seconds = 0
    var lastMessageAt: Seconds = 0
    var deadline: Seconds?
    /// Messages that are to come still, of those that waited.
    var expected = 0
    var underWay: Set<MessageID> = []
    var isDrained = false
    var isRevoking = false
    var isRenewed = false

    /// The reason why there is no connection, for people.
    public internal(set) var problem: String? {
        didSet { problem = problem?.bounded(Bound.reason) }
    }
    /// Whether the relay did not take the token when it was last shown.
    public internal(set) var isTokenRefused = false
    /// The uptime of the first failure since the relay was last reached.
    public internal(set) var failingSince: Seconds?
    /// Seconds since 1970 at which the relay was last reached.
    public internal(set) var lastReached: Seconds?
    /// Seconds by which the relay's clock was ahead of this machine's when the relay last told it.
    public internal(set) var clockOffset: Seconds?
    /// The count of the relay's day, as it was told last.
    public internal(set) var count: DayCount?
    /// The uptime at which that was told.
    var countedAt: Seconds = 0
    /// The relay's time in milliseconds since 1970, and the uptime at which it was told.
    var relayTime: (told: Int64, at: Seconds) = (0, 0)

    public init(seed: UInt64) { backoff = Backoff(seed: seed) }

    /// The state of the connection.
    public var state: State {
        switch phase {
        case .idle: .resting
        case .waiting(let until): .waiting(until: until)
        case .opening, .greeting, .proving: .connecting
        case .open: .open(since: openSince)
        }
    }

    /// The count of the present day, and the seconds since the relay told it; `nil` once that day is over.
    /// Days are the relay's, whatever this machine's clock says.
    public func dayCount(at now: Moment) -> (count: DayCount, age: Seconds)? {
        guard let count else { return nil }
        let time = Seconds(relayTime.told) / 1000 + now.uptime - relayTime.at
        guard time < Seconds(count.resetsAt) / 1000 else { return nil }
        return (count, max(0, now.uptime - countedAt))
    }

    /// Whether the relay has not answered a ping yet.
    public var isWaitingForPong: Bool { phase == .open && deadline != nil }

    var hasSocket: Bool {
        switch phase {
        case .idle, .waiting: false
        case .opening, .greeting, .proving, .open: true
        }
    }

    /// The one way in.
    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        switch event {
        case .wish(let new):
            wish = new
            return follow(at: now)
        case .afresh: return startAfresh(at: now)
        case .insist: return insist(at: now)
        case .opened:
            guard phase == .opening else { return [] }
            phase = .greeting
            heard(at: now)
            deadline = now.uptime + Self.patience
            return []
        case .lost(let loss): return hasSocket ? lost(loss, at: now) : []
        case .heard:
            heard(at: now)
            return []
        case .received(let frame):
            guard hasSocket, phase != .opening else { return [] }
            heard(at: now)
            return received(frame, at: now)
        case .proof(let proof): return prove(proof, at: now)
        case .taken(let ids): return taken(ids, at: now)
        case .revoke:
            isRevoking = true
            return phase == .open ? [.send(.revoke)] : []
        case .wake: return timePassed(at: now)
        }
    }

    private mutating func heard(at now: Moment) {
        lastHeard = now.uptime
        // The session waits for a frame of the protocol, or for a pong.
        if phase == .open { deadline = nil }
    }
}
