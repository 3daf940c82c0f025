internal import HomeAssistantAPI
public import HomingBase
internal import HomingJSON

/// A notification that Home Assistant posts to a relay, as far as the relay reads the body. The
/// relay stores and delivers the bytes of the body unchanged.
///
/// Only `push_token` must be there: Home Assistant also posts bodies without a `message`.
public struct PushRequest: Sendable {
    /// The limit that a request counts against.
    public enum Kind: Equatable, Sendable {
        /// Against the maximum of a day.
        case notification
        /// Orders and critical alerts, which are not to fail for a maximum.
        case free
    }

    /// Bytes of a body.
    public static let limit = 64 << 10
    private static let limits = JSONLimits(bytes: limit, depth: 32, values: 1 << 16)

    /// Longest time to live, in seconds.
    public static let longestLife: Seconds = 7 * 86400
    /// Time to live of a message without `ttl`, in seconds.
    public static let standardLife: Seconds = 86400
    /// Time to live of a message with a `ttl` below 1, in seconds. Blueprints write 0 for "urgent",
    /// and a laptop may need a minute to connect.
    public static let shortestLife: Seconds = 600

    /// The text of `push_token`, not checked yet.
    public let token: String
    /// The bytes that Home Assistant posted.
    public let body: [UInt8]
    // The rest is read on demand: a post with a bad token ends before.
    private let payload: NotificationPayload

    /// Reads the body of a POST.
    public init(body: [UInt8]) throws(RelayRefusal) {
        let value = try JSONValue(posted: body, within: Self.limits)
        guard let payload = NotificationPayload(posted: value) else { throw .notAnObject }
        guard let token = value[PostedToken.name]?.string, !token.isEmpty else { throw .noToken }
        (self.token, self.body, self.payload) = (token, body, payload)
    }

    /// A later notification of the same tag takes the place of one that waits. Orders have no tag.
    public var tag: String? { payload.isCommand ? nil : Self.nonEmpty(payload.tag) }
    /// The tag of the notification that is ordered away.
    public var clears: String? { Self.nonEmpty(payload.clearedTag) }
    /// Home Assistant's `hass_confirm_id`: equal for two posts of the same notification.
    public var confirmID: String? { Self.nonEmpty(payload.confirmID) }
    public var kind: Kind { payload.isCommand || payload.isCritical ? .free : .notification }

    /// Time to live, in seconds from arrival.
    public var life: Seconds {
        guard let life = payload.timeToLive else { return Self.standardLife }
        return life < 1 ? Self.shortestLife : min(life, Self.longestLife)
    }

    private static func nonEmpty(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension PushRequest: NeverPrinted {}
