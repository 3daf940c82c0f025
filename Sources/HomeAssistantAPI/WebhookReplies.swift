/// Reply to `get_config`; fields that Homing has no use for are left out.
public struct ConfigurationReply: Decodable, Equatable, Sendable {
    public var version: String
    /// Present only with Home Assistant Cloud.
    public var cloudhookURL: String?
    public var remoteUIURL: String?
    public var components: [String]
    /// Entities by unique id; our tracker stands among them under the device's id.
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

/// Zone that `get_zones` tells: a state object.
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

/// A rendered receipt template, as `ReceiptTemplate` describes it. What Home Assistant does not tell,
/// or tells in another form, is `nil`.
public struct ReceiptReply: Decodable, Equatable, Sendable {
    public var nonce: String
    /// `nil` where there is no tracker.
    public var trackerState: String?
    public var latitude: Double?
    public var longitude: Double?
    /// Time when a full receipt was made; in a short receipt, time when the named entity last
    /// changed. Both are seconds since 1970 by Home Assistant's clock.
    public var time: Double?
    /// The tracker's entity id.
    public var tracker: String?
    /// Time of the last change of that entity of the device which has stood longest, by the same
    /// clock.
    public var witness: Double?
    /// The id of that entity.
    public var witnessID: String?

    public init(from decoder: any Decoder) throws {
        let replies = try decoder.container(keyedBy: CodingKeys.self)
        var values = try replies.nestedUnkeyedContainer(forKey: .r)
        nonce = try values.decode(String.self)
        guard !values.isAtEnd else { return }
        var shown = try values.nestedUnkeyedContainer()
        trackerState = try shown.decode(String.self)
        latitude = try shown.decodeIfPresent(Double.self)
        longitude = try shown.decodeIfPresent(Double.self)
        time = values.isAtEnd ? nil : try? values.decode(Double.self)
        guard time != nil else { return }
        tracker = values.isAtEnd ? nil : try? values.decode(String.self)
        guard tracker != nil else { return }
        witness = values.isAtEnd ? nil : try? values.decode(Double.self)
        guard witness != nil else { return }
        witnessID = values.isAtEnd ? nil : try? values.decode(String.self)
    }

    private enum CodingKeys: String, CodingKey { case r }
}
