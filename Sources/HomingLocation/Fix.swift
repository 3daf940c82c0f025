public import HomingBase

/// A position that can be used: a real place, an accuracy, a time.
///
/// The optional fields are finite or absent. Only `Fix.reading` makes one from a report.
public struct Fix: Equatable, Sendable {
    public let coordinate: Coordinate
    /// Horizontal accuracy in metres, above 0.
    public let accuracy: Double
    /// Seconds since 1970 at which the position was true.
    public let time: Seconds
    /// Source of `time`.
    public let timeSource: TimeSource
    public let mode: FixMode
    /// Metres above mean sea level.
    public let altitude: Double?
    /// Metres.
    public let verticalAccuracy: Double?
    /// Metres a second.
    public let speed: Double?
    /// Degrees clockwise from true north, 0 ≤ course < 360.
    public let course: Double?
    public let source: PositionSource

    /// Metres of accuracy for each unit of HDOP, as gpsd reckons (95 %).
    static let metresPerHDOP = 19.0

    public init(
        coordinate: Coordinate, accuracy: Double, time: Seconds,
        timeSource: TimeSource = .receiver, mode: FixMode = .threeDimensional,
        altitude: Double? = nil, verticalAccuracy: Double? = nil, speed: Double? = nil,
        course: Double? = nil, source: PositionSource = .gpsd
    ) {
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.time = time
        self.timeSource = timeSource
        self.mode = mode
        self.altitude = altitude?.finite
        self.verticalAccuracy = verticalAccuracy?.finite
        self.speed = speed?.finite
        self.course = course?.finite
        self.source = source
    }

    /// Reads a report, or says why it is no fix.
    public static func reading(_ report: PositionReport) -> Result<Fix, SkipReason> {
        guard report.mode >= .twoDimensional else { return .failure(.noFix) }
        guard let latitude = report.latitude, let longitude = report.longitude,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return .failure(.noPlace) }
        guard let time = report.time, time.isFinite else { return .failure(.noTime) }
        return .success(
            Fix(
                coordinate: coordinate, accuracy: accuracy(of: report), time: time,
                timeSource: report.timeSource, mode: report.mode,
                altitude: report.altitude, verticalAccuracy: report.verticalAccuracy,
                speed: report.speed, course: report.course, source: report.source))
    }

    /// Metres: the receiver's own accuracy, else HDOP's, else the usual accuracy of such a fix.
    private static func accuracy(of report: PositionReport) -> Double {
        if let accuracy = report.accuracy, accuracy.isFinite, accuracy > 0 { return accuracy }
        if let hdop = report.hdop, hdop.isFinite, hdop > 0 { return hdop * metresPerHDOP }
        return report.mode >= .threeDimensional ? 50 : 100
    }
}

extension Double {
    /// The number itself, or `nil` for NaN and the infinities.
    var finite: Double? { isFinite ? self : nil }
}
