internal import FoundationEssentials

/// A notification as Home Assistant hands it over: by the WebSocket as an event, to `push_url` as the
/// body of a POST.
///
/// `data` is what its author wrote, untouched by Home Assistant; so every key is read in whatever
/// type it may come, and what cannot be read is as if it were not there.
public struct NotificationPayload: Decodable, Equatable, Sendable {
    public var message: String
    /// Absent too where the author wrote "Home Assistant".
    public var title: String?
    /// What Home Assistant wants to hear within 10 s.
    public var confirmID: String?
    public var data: [String: JSONValue]
    /// The message was so large that its data was not read.
    public var isDataLeftOut = false

    public init(message: String, title: String? = nil, data: [String: JSONValue] = [:]) {
        self.message = message
        self.title = title
        self.data = data
    }

    /// One whose data is JSON text; `nil` if that is no object, or larger than `dataLimit` of
    /// `WebSocketMessage`.
    public init?(message: String, title: String?, dataText: String) {
        guard dataText.utf8.count < WebSocketMessage.dataLimit,
            let data = try? JSONDecoder().decode(
                [String: JSONValue].self, from: Data(dataText.utf8))
        else { return nil }
        self.init(message: message, title: title, data: data)
    }

    /// The body of a POST to `push_url`; `nil` if it is none.
    public init?(relayed body: [UInt8]) {
        let decoder = JSONDecoder()
        if body.count > WebSocketMessage.dataLimit { decoder.userInfo[.leavesOutData] = true }
        guard let payload = try? decoder.decode(Self.self, from: Data(body)) else { return nil }
        self = payload
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? {
            if let text = try? container.decode(String.self, forKey: key) { return text }
            if let number = try? container.decode(Int.self, forKey: key) { return String(number) }
            if let number = try? container.decode(Double.self, forKey: key) {
                return String(number)
            }
            return (try? container.decode(Bool.self, forKey: key)).map { String($0) }
        }
        guard container.contains(.message) else {
            throw DecodingError.keyNotFound(
                CodingKeys.message, .init(codingPath: [], debugDescription: "no message"))
        }
        message = text(.message) ?? ""
        title = text(.title)
        confirmID = try? container.decode(String.self, forKey: .confirmID)
        isDataLeftOut = decoder.userInfo[.leavesOutData] != nil && container.contains(.data)
        data =
            isDataLeftOut
            ? [:] : (try? container.decode([String: JSONValue].self, forKey: .data)) ?? [:]
    }

    private enum CodingKeys: String, CodingKey {
        case message
        case title
        case confirmID = "hass_confirm_id"
        case data
    }

    /// `data` as JSON text, its keys in order.
    public var dataText: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(data)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension CodingUserInfoKey {
    /// Set where a notification's data shall not be read.
    static var leavesOutData: CodingUserInfoKey {
        // The name is not empty, which is all that can be wrong with one.
        CodingUserInfoKey(rawValue: "homing.leavesOutData").unsafelyUnwrapped
    }
}
