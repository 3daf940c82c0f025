/// What `get_config` tells; fields Homing has no use for are left out.
public struct ConfigurationReply: Decodable, Equatable, Sendable {
    public var version: String
    /// Present only with Home Assistant Cloud.
    public var cloudhookURL: String?
    public var remoteUIURL: String?
    public var components: [String]
    /// By unique id; our tracker stands among them under the device's id.
    public var entities: [String: Entity]?

    public struct Entity: Decodable, Equatable, Sendable {
        /// Switched off by somebody.
        public var disabled: Bool
    }

    /// Whether the tracker platform is loaded: before that an accepted position is lost.
    public var trackerLoaded: Bool { components.contains("mobile_app.device_tracker") }

    private enum CodingKeys: String, CodingKey {
        case version
        case cloudhookURL = "cloudhook_url"
        case remoteUIURL = "remote_ui_url"
        case components
        case entities
    }
}

/// One of the zones that `get_zones` tells: a state object.
public struct ZoneReply: Decodable, Equatable, Sendable {
    public struct Attributes: Decodable, Equatable, Sendable {
        public var latitude: Double
        public var longitude: Double
        /// Metres.
        public var radius: Double
        public var passive: Bool?
        public var friendlyName: String?
    }

    public var entityID: String
    /// Absent where they do not make a circle: an entity that is left over or not loaded.
    public var attributes: Attributes?

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        entityID = try container.decode(String.self, forKey: .entityID)
        attributes = try? container.decode(Attributes.self, forKey: .attributes)
    }

    private enum CodingKeys: CodingKey { case entityID, attributes }
}

/// The rendered receipt template: `[nonce, [state, latitude, longitude], witness, time]`, or
/// `[nonce]` where our device has no tracker entity that is enabled.
public struct ReceiptReply: Decodable, Equatable, Sendable {
    public var nonce: String
    /// `nil` where there is no tracker.
    public var trackerState: String?
    public var latitude: Double?
    public var longitude: Double?
    /// When that entity of the device last changed which has stood longest, in seconds since 1970 by
    /// Home Assistant's clock; `nil` without one.
    public var witness: Double?
    /// When the receipt was made, by the same clock.
    public var time: Double?

    public init(from decoder: any Decoder) throws {
        let replies = try decoder.container(keyedBy: CodingKeys.self)
        var values = try replies.nestedUnkeyedContainer(forKey: .r)
        nonce = try values.decode(String.self)
        guard !values.isAtEnd else { return }
        var tracker = try values.nestedUnkeyedContainer()
        trackerState = try tracker.decode(String.self)
        latitude = try tracker.decodeIfPresent(Double.self)
        longitude = try tracker.decodeIfPresent(Double.self)
        guard !values.isAtEnd, let moment = try? values.decode(Double.self) else { return }
        witness = moment == 0 ? nil : moment
        if !values.isAtEnd { time = try? values.decode(Double.self) }
    }

    private enum CodingKeys: String, CodingKey { case r }
}
