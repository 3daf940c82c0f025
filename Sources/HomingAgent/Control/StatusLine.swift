internal import HomeAssistantAPI
internal import HomingBase
internal import HomingHealth
internal import HomingRoutes

/// The line that `systemctl status` shows: the route, what waits, and when something last arrived.
enum StatusLine {
    /// Text without a registration.
    static let unregistered =
        "Not registered: run \(Warnings.owner == .system ? "sudo " : "")homing setup"

    /// The line about these homes; it names them where there are several.
    static func text(_ homes: [HomeState]) -> String {
        guard homes.count > 1 else { return homes.first.map(text) ?? unregistered }
        return homes.map { "\($0.name): \(text($0))" }.joined(separator: " | ")
    }

    private static func text(_ state: HomeState) -> String {
        guard let registration = state.registration else { return unregistered }
        if let warnable = Warnable(registration.standing) {
            return "\(warnable.text); \(state.waiting) waiting"
        }
        return text(state.delivery, waiting: state.waiting)
    }

    /// The time is said to the minute: deliveries alone change the line no more often.
    ///
    /// - Parameter waiting: messages in the queue, without those that wait for their receipt alone.
    static func text(_ delivery: DeliveryState, waiting: Int) -> String {
        let route = delivery.route.map { name($0, inUse: delivery.current) }
        var parts = [route ?? "No route yet", "\(waiting) waiting"]
        if let deliveredAt = delivery.deliveredAt {
            parts.append("last delivery \(UTCTime(deliveredAt).minuteText)")
        }
        if delivery.trouble != nil { parts.append("not delivering") }
        return parts.joined(separator: "; ")
    }

    private static func name(_ route: Route, inUse current: Endpoint.Kind?) -> String {
        let kind = current ?? route.endpoints.first?.kind
        return "\(route.place.isHome ? "At home" : "Away"): \(kind?.title ?? "nothing is sent")"
    }
}
