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
    /// A later notification of the same tag takes the place of one that waits. Orders have no tag.
    public let tag: String?
    /// The tag of the notification that is ordered away.
    public let clears: String?
    /// Home Assistant's `hass_confirm_id`: equal for two posts of the same notification.
    public let confirmID: String?
    /// Time to live, in seconds from arrival.
    public let life: Seconds
    public let kind: Kind
    /// The bytes that Home Assistant posted.
    public let body: [UInt8]

    /// Reads the body of a POST.
    public init(body: [UInt8]) throws(RelayRefusal) {
        let value = try JSONValue(posted: body, within: Self.limits)
        guard let payload = NotificationPayload(posted: value) else { throw .notAnObject }
        guard let token = value["push_token"]?.string, !token.isEmpty else { throw .noToken }
        self.token = token
        tag = payload.isOrder ? nil : payload.tag.flatMap { $0.isEmpty ? nil : $0 }
        clears = payload.clearedTag.flatMap { $0.isEmpty ? nil : $0 }
        confirmID = payload.confirmID.flatMap { $0.isEmpty ? nil : $0 }
        life = Self.life(payload)
        kind = payload.isOrder || payload.isCritical ? .free : .notification
        self.body = body
    }

    private static func life(_ payload: NotificationPayload) -> Seconds {
        guard let life = payload.timeToLive else { return standardLife }
        return life < 1 ? shortestLife : min(life, longestLife)
    }
}

extension PushRequest: Untold {}
