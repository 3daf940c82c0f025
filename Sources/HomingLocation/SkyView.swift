/// View that a receiver has of the sky: gpsd's SKY report.
public struct SkyView: Equatable, Sendable {
    /// Satellites the position was made from.
    public var used: Int
    /// Satellites in view.
    public var seen: Int
    /// Horizontal dilution of precision: 1 is ideal, above 10 a guess.
    public var hdop: Double?

    public init(used: Int, seen: Int, hdop: Double?) {
        self.used = used
        self.seen = seen
        self.hdop = hdop
    }
}
