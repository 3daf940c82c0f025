/// The data of a `homing_track` event: positions that could not be delivered while they were new enough for the map.
///
/// Home Assistant stamps a position with its arrival and cannot be told the past, so history goes
/// to its event bus, many positions in one message, as rows under one list of field names.
public struct TrackEvent: Encodable, Equatable, Sendable {
    /// The event's name on Home Assistant's bus.
    public static let type = "homing_track"
    /// Meaning of each number of a row; the order of a row's values.
    static let fields = [
        "sequence", "time", "latitude", "longitude", "accuracy", "altitude", "speed", "course",
        "zone", "source",
    ]

    /// Location, or the zone that was reported in place of a location.
    public struct Position: Encodable, Equatable, Sendable {
        /// Its number in the outbox: the same whenever it is told again.
        public var sequence: Int64
        /// Seconds since 1970.
        public var time: Double
        /// Degrees; absent for a zone.
        public var latitude: Double?
        /// Degrees; absent for a zone.
        public var longitude: Double?
        /// Metres; absent for a zone.
        public var accuracy: Double?
        /// Metres above mean sea level.
        public var altitude: Double?
        /// Metres a second.
        public var speed: Double?
        /// Degrees clockwise from true north.
        public var course: Double?
        /// A zone's name; `nil` for a position.
        public var zone: String?
        /// Source of a location that no receiver gave; `nil` otherwise, and for a zone.
        public var source: String?

        /// A zone.
        public init(sequence: Int64, time: Double, zone: String) {
            self.sequence = sequence
            self.time = time
            self.zone = zone
        }

        /// A position.
        public init(
            sequence: Int64, time: Double, latitude: Double, longitude: Double, accuracy: Double,
            altitude: Double?, speed: Double?, course: Double?, source: String?
        ) {
            self.sequence = sequence
            self.time = time
            self.latitude = latitude
            self.longitude = longitude
            self.accuracy = accuracy
            self.altitude = altitude
            self.speed = speed
            self.course = course
            self.source = source
        }

        public func encode(to encoder: any Encoder) throws {
            var row = encoder.unkeyedContainer()
            try row.encode(sequence)
            try row.encode(Self.tenths(time))
            try row.encode(latitude)
            try row.encode(longitude)
            for value in [accuracy, altitude, speed, course] {
                try row.encode(value.map(Self.tenths))
            }
            // Most rows end here: a value is about a tenth of a row.
            guard zone != nil || source != nil else { return }
            try row.encode(zone)
            if let source { try row.encode(source) }
        }

        /// Rounded to tenths, where a number has tenths: ten times the largest ones is infinity,
        /// which JSON cannot say, and one such row would keep all others of its event back.
        private static func tenths(_ value: Double) -> Double {
            abs(value) < 1e15 ? (value * 10).rounded() / 10 : value
        }
    }

    /// The registration's `device_id`.
    public let deviceID: String
    /// The same for a repeat of the same rows: the outbox's id, the first and the last sequence.
    public let homingID: String
    private let fields = TrackEvent.fields
    public let positions: [Position]

    public init(deviceID: String, outboxID: String, positions: [Position]) {
        self.deviceID = deviceID
        let ends = (positions.first?.sequence ?? 0, positions.last?.sequence ?? 0)
        homingID = "\(outboxID)-\(ends.0)-\(ends.1)"
        self.positions = positions
    }
}
