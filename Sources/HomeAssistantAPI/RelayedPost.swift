internal import HomingJSON

/// The body of Home Assistant's POST to `push_url`, read once.
public struct RelayedPost: Equatable, Sendable {
    /// The webhook id that the body names; `nil` if the body names none, or is no object.
    public let sender: String?
    /// `nil` if the body is no object with a `message`.
    public let payload: NotificationPayload?
    /// Whether the body is an object without a `message`: not all that Home Assistant posts is a
    /// notification.
    public let isOther: Bool
    private let members: [String: JSONValue]

    /// Reads any bytes.
    public init(_ body: [UInt8]) {
        guard let value = JSONValue(json: body), case .object(let object) = value else {
            (sender, payload, isOther) = (nil, nil, false)
            members = [:]
            return
        }
        sender = value["registration_info"]?["webhook_id"]?.text
        payload = NotificationPayload(
            value, readsData: body.count <= WebSocketMessage.dataLimit)
        isOther = object["message"] == nil
        members = object
    }

    /// The text of a member of the body; `nil` if the member is missing or no text.
    public func text(_ key: String) -> String? { members[key]?.string }
}
