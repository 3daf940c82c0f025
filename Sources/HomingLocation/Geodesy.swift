internal import Glibc

/// Distances on the sphere.
public enum Geodesy {
    /// Mean radius of the Earth in metres (IUGG).
    static let earthRadius = 6_371_008.8

    /// Great-circle distance in metres (haversine); right to 0.5 % and exact enough below a
    /// kilometre, which is where decisions are made.
    public static func distance(_ from: Coordinate, _ to: Coordinate) -> Double {
        let radians = Double.pi / 180
        let latitudes = (from.latitude * radians, to.latitude * radians)
        let half = (
            sin((latitudes.1 - latitudes.0) / 2), sin((to.longitude - from.longitude) * radians / 2)
        )
        let square = half.0 * half.0 + cos(latitudes.0) * cos(latitudes.1) * half.1 * half.1
        return 2 * earthRadius * asin(min(1, square.squareRoot()))
    }
}
