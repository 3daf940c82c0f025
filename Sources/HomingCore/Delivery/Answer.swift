/// What Home Assistant told about itself (`get_config`), as far as delivery needs it.
public struct HomeAssistantFacts: Equatable, Sendable {
    public var version: String
    public var cloudhookURL: String?
    public var remoteUIURL: String?
    /// Whether its device tracker for us is set up; before that an accepted position is lost.
    public var trackerLoaded: Bool

    public init(
        version: String, cloudhookURL: String?, remoteUIURL: String?, trackerLoaded: Bool
    ) {
        self.version = version
        self.cloudhookURL = cloudhookURL
        self.remoteUIURL = remoteUIURL
        self.trackerLoaded = trackerLoaded
    }
}

/// A proof: a sealed reply that echoes our nonce, with what Home Assistant holds for our tracker.
public struct Receipt: Equatable, Sendable {
    /// Whether our device has a tracker entity that is loaded and not disabled.
    public var trackerExists: Bool
    /// The tracker's state: a zone's name, `not_home`, `unknown`, `unavailable`.
    public var trackerState: String?
    public var place: Coordinate?

    public init(trackerExists: Bool, trackerState: String?, place: Coordinate?) {
        self.trackerExists = trackerExists
        self.trackerState = trackerState
        self.place = place
    }
}

/// What is asked of Home Assistant.
public enum Request: Equatable, Sendable {
    /// `get_config`.
    case configuration
    /// `get_zones`.
    case zones
    /// A receipt, by `render_template`. The nonce is made and compared at the edge.
    case receipt
    /// One `update_location`.
    case location(OutboxEntry)
    /// Several positions in one `homing_track` event.
    case track([OutboxEntry])
    /// One `fire_event`.
    case event(OutboxEntry)

    /// Whether an answer in the clear can be all there is.
    public var expectsReply: Bool {
        switch self {
        case .configuration, .zones, .receipt: true
        case .location, .track, .event: false
        }
    }
}

/// What came of a request. Only sealed replies that opened count as Home Assistant's word.
public enum Answer: Equatable, Sendable {
    case configuration(HomeAssistantFacts)
    case zones([Zone])
    /// A receipt speaks for what went before it on the same connection.
    case receipt(Receipt, onNewConnection: Bool)
    /// 200 with `{}`: taken, or silently refused; a receipt tells. On a new connection it may be
    /// another server that says so, or Home Assistant after a restart.
    case taken(onNewConnection: Bool)
    /// 200 with an empty body: the webhook is unknown there, or the command failed inside.
    case empty
    /// 400 or 413 with a JSON object: refused in words a Home Assistant uses.
    case refused(status: Int)
    /// 410.
    case gone
    /// Anything that counts against the endpoint alone.
    case failed(EndpointProblem)
}
