public import HomingBase

/// Extent to which a receiver knows a location (gpsd's `mode`).
public enum FixMode: Int, Sendable, Comparable {
    /// Report without a fix.
    case none = 1
    /// Latitude and longitude.
    case twoDimensional = 2
    /// Latitude, longitude and altitude.
    case threeDimensional = 3

    public static func < (left: FixMode, right: FixMode) -> Bool { left.rawValue < right.rawValue }
}

/// Source of a location.
public enum PositionSource: Int, CaseIterable, Sendable {
    /// A receiver behind gpsd.
    case gpsd = 1
    /// A look-up service, asked by GeoClue.
    case geoclue = 2
    /// A place of `[place.NAME]`, known by its networks.
    case place = 3

    /// The word people read.
    public var name: String { String(describing: self) }
}

/// Source of the time at which a location was true.
public enum TimeSource: Int, CaseIterable, Sendable {
    /// The receiver, with a date.
    case receiver = 0
    /// The receiver told the time of day, and this machine's clock the date.
    case timeOfDay = 1
    /// This machine's clock, when the position came.
    case arrival = 2

    /// The word that programs read.
    public var name: String {
        switch self {
        case .receiver: "receiver"
        case .timeOfDay: "time_of_day"
        case .arrival: "arrival"
        }
    }
}

/// Location as a source gave it, unchecked: any value may be missing, NaN or absurd.
///
/// The fields are those of gpsd's TPV report (gpsd_json(5)).
public struct PositionReport: Equatable, Sendable {
    public var mode: FixMode
    /// Time of the fix, seconds since 1970; absent in the first report after a fix.
    public var time: Seconds?
    /// The source of `time`.
    public var timeSource = TimeSource.receiver
    /// Seconds since midnight, UTC, where the receiver told no date.
    public var timeOfDay: Seconds?
    /// Degrees.
    public var latitude: Double?
    /// Degrees.
    public var longitude: Double?
    /// Horizontal accuracy in metres (95 %).
    public var accuracy: Double?
    /// Horizontal dilution of precision, from which an accuracy is made where there is none.
    public var hdop: Double?
    /// Metres above mean sea level.
    public var altitude: Double?
    /// Vertical accuracy in metres (95 %).
    public var verticalAccuracy: Double?
    /// Metres a second over ground.
    public var speed: Double?
    /// Degrees clockwise from true north.
    public var course: Double?
    public var source: PositionSource

    public init(
        mode: FixMode, time: Seconds? = nil, latitude: Double? = nil, longitude: Double? = nil,
        accuracy: Double? = nil, hdop: Double? = nil, timeOfDay: Seconds? = nil,
        altitude: Double? = nil, verticalAccuracy: Double? = nil,
        speed: Double? = nil, course: Double? = nil, source: PositionSource = .gpsd
    ) {
        self.mode = mode
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.hdop = hdop
        self.timeOfDay = timeOfDay
        self.altitude = altitude
        self.verticalAccuracy = verticalAccuracy
        self.speed = speed
        self.course = course
        self.source = source
    }
}
