public import HomingBase

/// One accepted position as the local track log keeps it.
public struct TrackPoint: Equatable, Sendable {
    /// Seconds since 1970.
    public var time: Seconds
    /// Who says so.
    public var timeSource: TimeSource
    public var coordinate: Coordinate
    /// Metres.
    public var accuracy: Double
    /// Metres above mean sea level.
    public var altitude: Double?
    /// Metres a second.
    public var speed: Double?
    /// Degrees clockwise from true north.
    public var course: Double?

    public init(
        time: Seconds, coordinate: Coordinate, accuracy: Double, altitude: Double? = nil,
        speed: Double? = nil, course: Double? = nil, timeSource: TimeSource = .receiver
    ) {
        self.time = time
        self.timeSource = timeSource
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.altitude = altitude
        self.speed = speed
        self.course = course
    }

    /// The part of a fix that a track keeps.
    public init(_ fix: Fix) {
        self.init(
            time: fix.time, coordinate: fix.coordinate, accuracy: fix.accuracy,
            altitude: fix.altitude, speed: fix.speed, course: fix.course,
            timeSource: fix.timeSource)
    }
}
