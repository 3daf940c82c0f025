/// A length of time in seconds.
public typealias Seconds = Double

/// Reading of both clocks that a decision may need.
///
/// Intervals are measured on `uptime`, which no clock step moves and which goes on during suspend
/// (CLOCK_BOOTTIME). `unixTime` (CLOCK_REALTIME) says how old a position is and dates what is told
/// to people; it may jump by years when a machine without a battery-backed clock learns the time.
public struct Moment: Equatable, Sendable {
    /// Seconds since boot, suspend included.
    public var uptime: Seconds
    /// Seconds since 1970-01-01T00:00:00Z.
    public var unixTime: Seconds

    public init(uptime: Seconds, unixTime: Seconds) {
        self.uptime = uptime
        self.unixTime = unixTime
    }

    /// The moment `seconds` later, if no clock is stepped meanwhile.
    public func advanced(by seconds: Seconds) -> Moment {
        Moment(uptime: uptime + seconds, unixTime: unixTime + seconds)
    }
}
