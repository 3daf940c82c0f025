internal import HomingBase

/// Events on a link since the machine has that link.
struct LinkExperience: Equatable, Sendable {
    /// Seconds between two positions far from home that show a network to travel: one may be wrong.
    static let travelTime: Seconds = 60

    /// The link as it is now.
    private(set) var link: NetworkLink
    /// Whether Home Assistant was reached on the network itself. The gateway may become known later.
    var hasReachedHome = false
    /// Whether the last position lay outside the zone of home.
    private(set) var wasOutside = false
    /// Uptime of the first position far from home, without one nearer since.
    private var farSince: Seconds?

    init(_ link: NetworkLink) { self.link = link }

    /// The experience on this link, which may be the same as an earlier one.
    static func following(_ earlier: [LinkExperience], on link: NetworkLink) -> LinkExperience {
        guard var experience = earlier.first(where: { $0.link.isContinued(by: link) }) else {
            return LinkExperience(link)
        }
        experience.link = link
        return experience
    }

    /// The receiver saw a position.
    ///
    /// - Parameters:
    ///   - distance: metres outside the zone of home for certain; 0 or less within.
    ///   - reach: metres within which a network at home may still be heard.
    /// - Returns: whether the network travels.
    mutating func saw(_ distance: Double, reach: Double, at now: Moment) -> Bool {
        wasOutside = distance > 0
        guard distance > reach else {
            farSince = nil
            return false
        }
        let since = farSince ?? now.uptime
        farSince = since
        return now.uptime - since >= Self.travelTime
    }

    /// The zone of home is another.
    mutating func forgetPositions() { (wasOutside, farSince) = (false, nil) }
}
