public import HomingJSON

/// `homing event`.
extension ControlCommand {
    public struct SendEvent: Codable, Equatable, Sendable {
        /// 1 to 64 characters.
        public var type: String
        public var data: [String: JSONValue]
        /// Whether to answer only when it is delivered, or will not be.
        public var wait: Bool
        /// Seconds from now after which it is not delivered any more; `nil` for never.
        public var expires: Double?

        public init(type: String, data: [String: JSONValue], wait: Bool, expires: Double?) {
            self.type = type
            self.data = data
            self.wait = wait
            self.expires = expires
        }
    }
}

/// The result of `send_event`.
public struct SendEventResult: Codable, Equatable, Sendable {
    public enum Outcome: String, Codable, Sendable {
        /// Home Assistant has it, by receipt.
        case delivered
        /// In the outbox; it gets home when there is a way.
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
