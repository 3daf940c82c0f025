internal import HomingJSON

/// The entry of our device tracker in Home Assistant's registry, for receipts without a tracker.
public enum TrackerEntry: Equatable, Sendable {
    /// Entry that is there: disabled, or not loaded yet.
    case present
    /// Deleted entry. A reload of this config entry makes the entry again; `nil` where the config
    /// entry's id cannot be found out.
    case deleted(configEntry: String?)

    /// - Parameter configuration: Home Assistant's; without `entities` a tracker is taken to be there.
    public init(
        _ configuration: ConfigurationReply, _ reply: TrackerEntryReply, deviceID: String
    ) {
        // Later versions list a notify entity under the same id, and count trackers. Earlier ones
        // have no such entity, and cannot count.
        let isDeleted =
            reply.trackers.map { $0 == 0 }
            ?? configuration.entities.map { $0[deviceID] == nil } ?? false
        self = isDeleted ? .deleted(configEntry: reply.configEntry) : .present
    }

    /// Asks for our config entry and for how many trackers it has, disabled ones included.
    ///
    /// The config entry is that of our entities; without any it is that of the device with our name,
    /// if it has one alone.
    public static func question(
        nonce: String, deviceID: String, deviceName: String
    ) -> WebhookRequest {
        .renderTemplate([
            "t": Template(
                template,
                variables: [
                    "nonce": .string(nonce), "id": .string(deviceID), "name": .string(deviceName),
                ])
        ])
    }

    private static let template =
        "['{{nonce}}'{%set n=namespace(c=none)%}{%for e in integration_entities('mobile_app')"
        + " if id in device_attr(e,'identifiers')|string%}{%set n.c=config_entry_id(e)%}{%endfor%}"
        + "{%set d=device_id(name)%}{%if not n.c and d and id in device_attr(d,'identifiers')|string%}"
        + "{%set l=device_attr(d,'config_entries')|list%}"
        + "{%if l|length==1%}{%set n.c=l[0]%}{%endif%}{%endif%}"
        + "{%if n.c%},'{{n.c}}'{%if config_entry_attr is defined%}"
        + "{%set t=config_entry_attr(n.c,'title')%}{%if t%},{{integration_entities(t)"
        + "|select('match','device_tracker')|map('config_entry_id')|select('eq',n.c)|list|length}}"
        + "{%endif%}{%endif%}{%endif%}]"
}

/// The answer to `TrackerEntry.question`: `[nonce]`, `[nonce, config entry]`, or
/// `[nonce, config entry, number of trackers]`.
public struct TrackerEntryReply: Decodable, Equatable, Sendable {
    public var nonce: String
    public var configEntry: String?
    /// `nil` from versions that cannot count those that are disabled.
    public var trackers: Int?

    public init(from decoder: any Decoder) throws {
        let replies = try decoder.container(keyedBy: CodingKeys.self)
        var values = try replies.nestedUnkeyedContainer(forKey: .t)
        nonce = try values.decode(String.self)
        if !values.isAtEnd { configEntry = try values.decode(String.self) }
        if !values.isAtEnd { trackers = try values.decode(Int.self) }
    }

    private enum CodingKeys: String, CodingKey { case t }
}
