/// The result of `send_location`.
public struct SendLocationResult: Codable, Equatable, Sendable {
    public enum Outcome: String, Codable, Sendable {
        /// Home Assistant holds it, by receipt.
        case delivered
        /// Location in the queue, to be delivered when there is a route.
        case queued
        /// Lack of a location in time; the next location will be sent.
        case noPosition = "no_position"
        /// Home Assistant would not take it.
        case rejected
    }

    public var outcome: Outcome
    /// Reason why the report waits, and what to do; `nil` if the report is under way.
    public var reason: String?
    public var hint: String?
    /// Whether the zone could not be compared with Home Assistant's zones; absent for no.
    public var isUnchecked: Bool?

    public init(_ outcome: Outcome) { self.outcome = outcome }

    private enum CodingKeys: String, CodingKey {
        case outcome, reason, hint
        case isUnchecked = "unchecked"
    }
}
