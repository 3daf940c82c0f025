internal import HomingBase
internal import HomingRoutes

/// The line that `systemctl status` shows: the way, what waits, and when something last arrived.
struct StatusLine: Equatable {
    /// `nil` as long as nothing is known of the network.
    var way: Way?
    /// The way's endpoint that is in use; `nil` before the first answer.
    var endpoint: String?
    var isDelivering = true
    /// Messages of all kinds that wait.
    var queued = 0
    /// Seconds since 1970 at which Home Assistant last proved that it has something of what waited;
    /// `nil` if it has not since the start.
    var deliveredAt: Seconds?

    /// What is shown without a registration.
    static let unregistered = "Not registered: run homing setup"

    /// The line about these homes; it names them where there are several.
    static func text(_ homes: [HomeState]) -> String {
        guard homes.count > 1 else { return homes.first.map(text) ?? unregistered }
        return homes.map { "\($0.name): \(text($0))" }.joined(separator: " | ")
    }

    private static func text(_ home: HomeState) -> String {
        guard home.registration != nil else { return unregistered }
        let delivery = home.delivery
        return StatusLine(
            way: delivery.way, endpoint: delivery.current?.title,
            isDelivering: delivery.trouble == nil, queued: home.queued,
            deliveredAt: delivery.deliveredAt
        ).text
    }

    /// The time is said to the minute: deliveries alone change the line no more often.
    var text: String {
        var parts = [way.map(name) ?? "No way yet", "\(queued) queued"]
        if let deliveredAt { parts.append("last delivery \(UTCTime(deliveredAt).minuteText)") }
        if !isDelivering { parts.append("not delivering") }
        return parts.joined(separator: "; ")
    }

    private func name(_ way: Way) -> String {
        let first = way.endpoints.first?.kind.title ?? "nothing is sent"
        return "\(way.place.isHome ? "At home" : "Away"): \(endpoint ?? first)"
    }
}
