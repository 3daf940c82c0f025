public import HomingBase

/// A place between two points of the track log, from which reading goes on.
public struct TrackCursor: Codable, Equatable, Sendable {
    /// Seconds since 1970 of the point before it.
    public var time: Seconds
    /// That point's number among those of the same time.
    public var row: Int64

    public init(time: Seconds, row: Int64) {
        self.time = time
        self.row = row
    }
}
