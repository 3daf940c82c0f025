public import HomingJSON

/// A notification as Home Assistant hands it over: by the WebSocket as an event, to `push_url` as the
/// body of a POST.
///
/// `data` is what its author wrote, untouched by Home Assistant; so every key is read in whatever
/// type it may come, and what cannot be read is as if it were not there.
public struct NotificationPayload: Equatable, Sendable {
    public var message: String
    /// Absent too where the author wrote "Home Assistant".
    public var title: String?
    /// Id that Home Assistant wants to hear within 10 s. `nil` too for an id that is longer than
    /// `confirmIDLimit`.
    public var confirmID: String?
    public var data: [String: JSONValue]

    /// Bytes of a `confirmID`: four times what Home Assistant's have (`random_uuid_hex`, 32).
    public static let confirmIDLimit = 128

    public init(message: String, title: String? = nil, data: [String: JSONValue] = [:]) {
        self.message = message
        self.title = title
        self.data = data
    }

    /// Makes a payload with data of JSON text; `nil` if the text is no object, or larger than
    /// `dataLimit` of `WebSocketMessage`.
    public init?(message: String, title: String?, dataText: String) {
        guard dataText.utf8.count < WebSocketMessage.dataLimit,
            case .object(let data)? = JSONValue(json: dataText.utf8)
        else { return nil }
        self.init(message: message, title: title, data: data)
    }

    /// Reads the body that a relay is given: any object. Home Assistant also posts bodies without a
    /// `message`, whose text is then empty. `nil` if the value is not an object.
    public init?(posted body: JSONValue) {
        guard case .object(var members) = body else { return nil }
        if members["message"] == nil { members["message"] = .string("") }
        self.init(.object(members), readsData: true)
    }

    /// `nil` if it is no object with a `message`.
    ///
    /// - Parameter readsData: whether `data` is read.
    init?(_ value: JSONValue, readsData: Bool) {
        guard let text = value["message"] else { return nil }
        message = text.text ?? ""
        title = value["title"]?.text
        if case .string(let id)? = value["hass_confirm_id"],
            id.utf8.count <= Self.confirmIDLimit
        {
            confirmID = id
        }
        data = [:]
        if readsData, case .object(let members)? = value["data"] { data = members }
    }

    /// `data` as JSON text, its keys in order.
    public var dataText: String { JSONValue.object(data).json() }
}
