public import HomingBase
public import HomingLocation

/// The three kinds of message, each with an order and a rule of its own.
public enum Stream: Int, CaseIterable, Sendable {
    /// Positions: every one, in order.
    case location = 1
    /// Sensor states: the latest of each sensor.
    case sensors = 2
    /// Events: every one, in order, until it expires.
    case events = 3

    /// The word people read.
    public var name: String { String(describing: self) }
}

/// Numbers of rows, by stream.
public struct RowCounts: Equatable, Sendable {
    private var location = 0
    private var sensors = 0
    private var events = 0

    public init() {}

    public subscript(stream: Stream) -> Int {
        get {
            switch stream {
            case .location: location
            case .sensors: sensors
            case .events: events
            }
        }
        set {
            switch stream {
            case .location: location = newValue
            case .sensors: sensors = newValue
            case .events: events = newValue
            }
        }
    }
}

/// The number of a row within its stream; later rows have larger numbers, none is used twice.
public struct EntryID: Hashable, Comparable, Sendable {
    public let stream: Stream
    public let number: Int64

    public init(_ stream: Stream, _ number: Int64) {
        self.stream = stream
        self.number = number
    }

    public static func < (left: EntryID, right: EntryID) -> Bool {
        (left.stream.rawValue, left.number) < (right.stream.rawValue, right.number)
    }
}

/// Content of a report of a location to Home Assistant.
public struct LocationMessage: Equatable, Sendable {
    /// Location of the machine: coordinates, or the name of a zone in place of coordinates.
    public enum Place: Equatable, Sendable {
        case fix(Fix)
        /// The state of a tracker in the zone: `home`, `not_home`, or the zone's name; `time` in seconds
        /// since 1970.
        case zone(name: String, time: Seconds)
    }

    public var place: Place
    /// Charge in percent when it was accepted.
    public var battery: Double?

    /// Whether it names a zone.
    var isZone: Bool { if case .zone = place { true } else { false } }

    public init(place: Place, battery: Double? = nil) {
        self.place = place
        self.battery = battery
    }
}

/// Says whether Homing delivers a location row for the map or as history.
public enum Freshness: Int, Sendable {
    /// Location for the map: one `update_location`.
    case live = 0
    /// Location for the history: many in one `homing_track` event. A row never goes back to
    /// live, so that what Home Assistant holds for our tracker tells which live rows it has
    /// seen.
    case history = 1
}

/// An event for Home Assistant's bus.
public struct EventMessage: Equatable, Sendable {
    /// At most 64 characters (Home Assistant's MAX_LENGTH_EVENT_EVENT_TYPE).
    public var type: String
    /// A JSON object.
    public var data: String

    public init(type: String, data: String) {
        self.type = type
        self.data = data
    }
}

/// The latest state of one sensor.
public struct SensorMessage: Equatable, Sendable {
    public var uniqueID: String
    /// The data of `register_sensor` as JSON, of which `update_sensor_states` takes a part. In a row
    /// of an earlier version that part alone.
    public var item: String

    public init(uniqueID: String, item: String) {
        self.uniqueID = uniqueID
        self.item = item
    }
}

/// Content of a row.
public enum OutboxMessage: Equatable, Sendable {
    case location(LocationMessage)
    case sensor(SensorMessage)
    case event(EventMessage)

    public var stream: Stream {
        switch self {
        case .location: .location
        case .sensor: .sensors
        case .event: .events
        }
    }

    /// The unique id of its sensor; `nil` unless it is a sensor's state.
    var sensorID: String? {
        if case .sensor(let sensor) = self { sensor.uniqueID } else { nil }
    }
}

/// A row of the outbox: accepted, not yet settled.
public struct OutboxEntry: Equatable, Sendable {
    public let id: EntryID
    public let message: OutboxMessage
    /// Seconds since 1970 at which it was accepted.
    public let acceptedAt: Seconds
    /// Seconds since 1970 after which it is worth nothing any more.
    public let expiresAt: Seconds?
    /// Meaningful for the location stream only.
    public let freshness: Freshness

    public init(
        id: EntryID, message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds? = nil,
        freshness: Freshness = .live
    ) {
        self.id = id
        self.message = message
        self.acceptedAt = acceptedAt
        self.expiresAt = expiresAt
        self.freshness = freshness
    }
}
