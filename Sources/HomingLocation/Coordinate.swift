/// A place on Earth, WGS 84, in degrees; finite, within ±90/±180, and not the point 0,0 that
/// receivers report when they know nothing.
public struct Coordinate: Equatable, Sendable {
    /// Degrees north, −90…90.
    public let latitude: Double
    /// Degrees east, −180…180.
    public let longitude: Double

    /// `nil` if the pair is no place: not finite, out of range, or exactly 0,0.
    public init?(latitude: Double, longitude: Double) {
        guard latitude.isFinite, longitude.isFinite else { return nil }
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        guard latitude != 0 || longitude != 0 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The place as Home Assistant is told it: to 7 decimals, which is 1 cm.
    public var rounded: Coordinate {
        // What lies within half a centimetre of 0,0 stays as it is: 0,0 is no place.
        Coordinate(latitude: Self.rounded(latitude), longitude: Self.rounded(longitude)) ?? self
    }

    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
