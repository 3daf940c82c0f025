/// `homing relay`.
extension ControlCommand {
    public struct JoinRelay: Codable, Equatable, Sendable {
        /// The relay's address; `nil` for the one that was joined.
        public var url: String?
        /// Code of an invitation. Secret.
        public var code: String?
        /// Whether another key pair is made, and with it another mailbox.
        public var newKey: Bool
        /// Whether code and token may travel over plain HTTP.
        public var overPlainHTTP: Bool
        /// The fingerprint that the front's key is to have; `nil` if a person compares it later, or if
        /// the relay is no front.
        public var fingerprint: String?
        /// Code of an invitation to the relay behind a front. Secret.
        public var farCode: String?

        public init(
            url: String?, code: String?, newKey: Bool, overPlainHTTP: Bool,
            fingerprint: String? = nil, farCode: String? = nil
        ) {
            self.url = url
            self.code = code
            self.newKey = newKey
            self.overPlainHTTP = overPlainHTTP
            self.fingerprint = fingerprint
            self.farCode = farCode
        }
    }
}

/// The result of `join_relay`.
public struct JoinRelayResult: Codable, Equatable, Sendable {
    /// The relay's.
    public var host: String
    /// The name of the relay.
    public var name: String?
    /// Notifications a day; 0 for any number.
    public var maximum = 0
    /// Whether the mailbox stays the same.
    public var keptKey = false
    /// Whether Home Assistant sends to the relay over plain HTTP.
    public var isPlainHTTP = false
    /// The reason why Home Assistant was not told of the relay yet; `nil` if it was.
    public var notTold: String?
    /// Whether nothing was joined. Code and token would travel to `host` over plain HTTP, and
    /// nobody said that they may.
    public var isUnconfirmed = false
    /// `nil` if Home Assistant sends to the relay itself.
    public var front: Front?

    /// The front that was joined; `host` and `name` are then those of the relay behind it.
    public struct Front: Codable, Equatable, Sendable {
        public var host: String
        /// Fingerprint of the key by which the front signs: 8 groups of 4 hexadecimal digits.
        public var fingerprint: String
        /// Whether a person gave the fingerprint, and so has compared it.
        public var isAsGiven = false

        public init(host: String, fingerprint: String) {
            self.host = host
            self.fingerprint = fingerprint
        }
    }

    public init(host: String) { self.host = host }
}

/// The result of `leave_relay`.
public struct LeaveRelayResult: Codable, Equatable, Sendable {
    public var host: String
    /// Whether the relay revoked the token.
    public var isRevoked: Bool
    /// The reason why Home Assistant was not told yet that there is no relay; `nil` if it was.
    public var notTold: String?

    public init(host: String, isRevoked: Bool, notTold: String? = nil) {
        self.host = host
        self.isRevoked = isRevoked
        self.notTold = notTold
    }
}

/// The result of `check_relay` and of `test_relay`.
public struct TestRelayResult: Codable, Equatable, Sendable {
    /// A step that was reached.
    public enum Step: String, Codable, Sendable {
        /// To the relay's mailbox, from the beginning.
        case connected
        /// The relay takes the token where Home Assistant posts, from the question.
        case checked
        /// The relay has stored the message, from its posting.
        case accepted
        /// The message came back, from its posting.
        case received
    }

    public struct Reached: Codable, Equatable, Sendable {
        public var step: Step
        public var milliseconds: Int

        public init(_ step: Step, milliseconds: Int) {
            self.step = step
            self.milliseconds = milliseconds
        }
    }

    public var host: String
    /// The front to which the test posts; `nil` if the test posts to the relay itself.
    public var front: String?
    /// The reason why `check_relay` did not reach the front; `nil` if it did. Away from home that is no
    /// fault.
    public var frontAway: String?
    public var steps: [Reached] = []
    /// The reason why it went no further; `nil` if all steps were reached.
    public var problem: String?
    /// The way to correct that.
    public var hint: String?

    public init(host: String) { self.host = host }
}
