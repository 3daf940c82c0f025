internal import HomingLocation

/// A place as exactly as a look-up knows it.
struct Circle: Equatable, Sendable {
    let centre: Coordinate
    /// Metres.
    let radius: Double

    init(_ fix: Fix) { (centre, radius) = (fix.coordinate, fix.accuracy) }

    func holds(_ place: Coordinate, within accuracy: Double = 0) -> Bool {
        Geodesy.distance(place, centre) <= radius + accuracy
    }

    /// Whether both can say one place.
    func agrees(with other: Circle) -> Bool {
        Geodesy.distance(other.centre, centre) <= max(radius, other.radius)
    }
}

/// Trust in look-ups. A look-up that contradicts the last report must be seen twice. A look-up that
/// was wrong is not believed again.
struct LookUpTrust: Equatable, Sendable {
    /// Look-ups that were wrong and are remembered.
    static let capacity = 16

    /// A look-up that contradicts what was told, until a second look-up.
    private var doubted: Circle?
    /// Look-ups that a better source has shown to be wrong.
    private var wrong: [Circle] = []

    func isWrong(_ circle: Circle) -> Bool { wrong.contains(where: circle.agrees) }

    /// A better source says what it said before the look-up was used.
    mutating func distrust(_ circle: Circle) { wrong = (wrong + [circle]).suffix(Self.capacity) }

    /// Whether the look-up before contradicted in the same way. If not, the next one may.
    mutating func confirms(_ circle: Circle) -> Bool {
        let isSecond = doubted.map(circle.agrees) == true
        doubted = isSecond ? nil : circle
        return isSecond
    }

    /// Forgets the doubt: no look-up contradicts the last report now.
    mutating func forgetDoubt() { doubted = nil }
}
