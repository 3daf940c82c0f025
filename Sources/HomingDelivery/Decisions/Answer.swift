public import HomingBase
public import HomingLocation
public import HomingRoutes

/// Facts that Home Assistant told about itself (`get_config`), as far as delivery needs them.
public struct HomeAssistantFacts: Equatable, Sendable {
    public var version: String
    public var cloudhookURL: String?
    public var remoteUIURL: String?
    /// Whether its device tracker for us is set up; before that an accepted position is lost.
    public var trackerLoaded: Bool
    /// Unique ids of the sensors that somebody has disabled.
    public var disabledSensors: Set<String>
    /// Unique ids of all sensors that Home Assistant holds; `nil` where it does not say.
    public var knownSensors: Set<String>?

    public init(
        version: String, cloudhookURL: String?, remoteUIURL: String?, trackerLoaded: Bool,
        disabledSensors: Set<String> = [], knownSensors: Set<String>? = nil
    ) {
        self.knownSensors = knownSensors
        self.disabledSensors = disabledSensors
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
    /// Time of the last change of our entity that has stood unchanged the longest, the tracker
    /// aside. The time is in seconds since 1970 by Home Assistant's clock. A reload of the
    /// registration changes every entity, and so this time. `nil` where there is no other entity.
    public var witness: Seconds?
    /// Time at which Home Assistant made the receipt, by the same clock.
    public var time: Seconds?
    /// Names by which a short receipt can ask for the same.
    public var names: TrackerNames?
    /// Whether it is the answer to a short one: then it says nothing of `time` and `names`, and of the
    /// witness only where that was named.
    public var isShort = false

    public init(
        trackerExists: Bool, trackerState: String?, place: Coordinate?, witness: Seconds? = nil,
        time: Seconds? = nil, names: TrackerNames? = nil, isShort: Bool = false
    ) {
        self.names = names
        self.isShort = isShort
        self.trackerExists = trackerExists
        self.trackerState = trackerState
        self.place = place
        self.witness = witness
        self.time = time
    }
}

/// The entity ids that a short receipt asks for.
public struct TrackerNames: Hashable, Sendable {
    /// Our tracker.
    public var tracker: String
    /// The entity that is the witness; `nil` without one, or where it is of no interest.
    public var witness: String?

    public init(tracker: String, witness: String?) {
        self.tracker = tracker
        self.witness = witness
    }
}

/// Request that delivery makes to Home Assistant.
public enum Request: Equatable, Sendable {
    /// `get_config`.
    case configuration
    /// `get_zones`.
    case zones
    /// A receipt, by `render_template`. The nonce is made and compared at the edge.
    case receipt
    /// A receipt that asks for these by their names.
    case shortReceipt(TrackerNames)
    /// Location in a single `update_location`.
    case location(OutboxEntry)
    /// Several positions in one `homing_track` event.
    case track([OutboxEntry])
    /// Event in a single `fire_event`.
    case event(OutboxEntry)
    /// The states of several sensors in one `update_sensor_states`.
    case sensors([OutboxEntry])
    /// `register_sensor` for the sensor of this row.
    case registerSensor(OutboxEntry)

    /// Kind of reply from a Home Assistant that works.
    public enum Expectation: Sendable {
        /// A sealed reply; anything else is not from a Home Assistant that knows us.
        case reply
        /// A sealed reply, or a word in the clear that it could not take what was sent.
        case replyOrRefusal
        /// Empty object `{}` and nothing else.
        case nothing
    }

    public var expectation: Expectation {
        switch self {
        case .configuration, .zones, .receipt, .shortReceipt: .reply
        case .sensors, .registerSensor: .replyOrRefusal
        case .location, .track, .event: .nothing
        }
    }
}

/// Verdict of `update_sensor_states` on one sensor.
public enum SensorVerdict: Equatable, Sendable {
    case taken
    /// Taken, and thrown away: somebody disabled the sensor.
    case disabled
    /// Sensor that must be registered first.
    case notRegistered
    /// The item is not as it should be; Home Assistant's words.
    case invalid(String)
}

/// Result of a request. Only encrypted replies that opened count as Home Assistant's word.
public enum Answer: Equatable, Sendable {
    case configuration(HomeAssistantFacts)
    case zones([Zone])
    /// A receipt speaks for what went before it on the same connection.
    case receipt(Receipt, onNewConnection: Bool)
    /// Verdict on each sensor, by unique id.
    case sensors([String: SensorVerdict], onNewConnection: Bool)
    case sensorRegistered(onNewConnection: Bool)
    /// Sensor that this machine lacks at the moment, and so cannot register: no request was sent.
    case sensorUnknownHere
    /// 200 with `{}`: taken, or silently refused; a receipt tells. On a new connection it may be
    /// another server that says so, or Home Assistant after a restart.
    case taken(onNewConnection: Bool)
    /// 200 with an empty body: the webhook is unknown there, or the command failed inside.
    case empty
    /// 400 or 413 with a JSON object, or 200 with `{}` where success has a reply: refused in words
    /// a Home Assistant uses.
    case refused(status: Int)
    /// 410.
    case gone
    /// Anything that counts against the endpoint alone.
    case failed(EndpointProblem)
}
