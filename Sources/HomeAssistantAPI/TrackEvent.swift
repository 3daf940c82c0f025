internal import FoundationEssentials

/// The data of a `homing_track` event: positions that could not be delivered while they were news.
///
/// Home Assistant stamps a position with its arrival and cannot be told the past, so history goes
/// to its event bus, many positions in one message, as rows under one list of field names.
public struct TrackEvent: Encodable, Equatable, Sendable {
    /// The event's name on Home Assistant's bus.
    public static let type = "homing_track"
    /// What each number of a row means; the order of a row's values.
    static let fields = [
        "sequence", "time", "latitude", "longitude", "accuracy", "altitude", "speed", "course",
    ]

    /// One position.
    public struct Position: Encodable, Equatable, Sendable {
        /// Its number in the outbox: the same whenever it is told again.
        public var sequence: Int64
        /// Seconds since 1970.
        public var time: Double
        /// Degrees.
        public var latitude: Double
        /// Degrees.
        public var longitude: Double
        /// Metres.
        public var accuracy: Double
        /// Metres above mean sea level.
        public var altitude: Double?
        /// Metres a second.
        public var speed: Double?
        /// Degrees clockwise from true north.
        public var course: Double?

        public init(
            sequence: Int64, time: Double, latitude: Double, longitude: Double, accuracy: Double,
            altitude: Double?, speed: Double?, course: Double?
        ) {
            self.sequence = sequence
            self.time = time
            self.latitude = latitude
            self.longitude = longitude
            self.accuracy = accuracy
            self.altitude = altitude
            self.speed = speed
            self.course = course
        }

        public func encode(to encoder: any Encoder) throws {
            var row = encoder.unkeyedContainer()
            try row.encode(sequence)
            try row.encode((time * 10).rounded() / 10)
            try row.encode(latitude)
            try row.encode(longitude)
            for value in [accuracy, altitude, speed, course] {
                try row.encode(value.map { ($0 * 10).rounded() / 10 })
            }
        }
    }

    /// The registration's `device_id`.
    public let deviceID: String
    /// Tells repeats: the outbox's id and the first position's sequence.
    public let homingID: String
    public let positions: [Position]

    public init(deviceID: String, outboxID: String, positions: [Position]) {
        self.deviceID = deviceID
        homingID = "\(outboxID)-\(positions.first?.sequence ?? 0)"
        self.positions = positions
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deviceID, forKey: .deviceID)
        try container.encode(homingID, forKey: .homingID)
        try container.encode(Self.fields, forKey: .fields)
        try container.encode(positions, forKey: .positions)
    }

    private enum CodingKeys: String, CodingKey {
        case deviceID = "device_id"
        case homingID = "homing_id"
        case fields
        case positions
    }
}
