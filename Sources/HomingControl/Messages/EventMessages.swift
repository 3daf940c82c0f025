/// The result of `send_event`.
public struct SendEventResult: Codable, Equatable, Sendable {
    public enum Outcome: String, Codable, Sendable {
        /// Home Assistant has it, by receipt.
        case delivered
        /// Event in the queue, to be delivered when there is a route.
        case queued
    }

    public var outcome: Outcome
    /// `homing_id` in the event's data: the same whenever it is told again.
    public var homingID: String

    public init(_ outcome: Outcome, homingID: String) {
        self.outcome = outcome
        self.homingID = homingID
    }
}
