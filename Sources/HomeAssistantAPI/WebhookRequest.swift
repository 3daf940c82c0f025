internal import FoundationEssentials

/// A command of the mobile_app webhook (homeassistant/components/mobile_app/webhook.py).
public enum WebhookRequest: Equatable, Sendable {
    case getConfig
    case getZones
    case updateLocation(LocationUpdate)
    case track(TrackEvent)
    /// `data` is a JSON object in text, kept as it is.
    case fireEvent(type: String, data: String)
    /// Echoes `nonce` and tells what Home Assistant holds for the tracker of its device.
    case receipt(nonce: String, deviceID: String)

    /// The command's name, which travels in the clear even when the data is sealed: `"encrypted"`,
    /// as the developer page has it, is a type Home Assistant does not know.
    public var type: String {
        switch self {
        case .getConfig: "get_config"
        case .getZones: "get_zones"
        case .updateLocation: "update_location"
        case .track, .fireEvent: "fire_event"
        case .receipt: "render_template"
        }
    }

    /// The command's data as JSON.
    func data(_ encoder: JSONEncoder) throws -> [UInt8] {
        switch self {
        case .getConfig, .getZones: Array("{}".utf8)
        case .updateLocation(let update): try update.json(encoder)
        case .track(let track):
            Array(try encoder.encode(Event(type: TrackEvent.type, data: track)))
        case .fireEvent(let type, let data):
            // The data is JSON already; only the type needs quoting.
            Array("{\"event_type\":".utf8) + Array(try encoder.encode(type))
                + Array(",\"event_data\":\(data)}".utf8)
        case .receipt(let nonce, let device):
            Array(try encoder.encode(ReceiptTemplate(nonce: nonce, deviceID: device)))
        }
    }

    private struct Event<Body: Encodable>: Encodable {
        var type: String
        var data: Body

        private enum CodingKeys: String, CodingKey {
            case type = "event_type"
            case data = "event_data"
        }
    }
}

/// The template that makes a receipt: `[nonce]`, and where our device has a tracker that is enabled
/// `[nonce, [state, latitude, longitude]]`. Home Assistant turns the rendered list into JSON values.
///
/// The tracker is found by our own device id, since `get_config` tells Home Assistant's id of the
/// device only in newer versions (it does not in 2024.3). Entities that are disabled or not loaded
/// yet are none of `integration_entities`. Of mobile_app's only trackers begin with "de". It is as
/// short as it can be: a moving machine asks once a minute.
struct ReceiptTemplate: Encodable {
    private struct Template: Encodable {
        let template: String
    }

    private let r: Template

    /// - Parameter nonce: letters and digits.
    init(nonce: String, deviceID: String) {
        r = Template(
            template: "['\(nonce)'{%for e in integration_entities('mobile_app')if e[:2]=='de'and"
                + Self.literal(deviceID) + "in device_attr(e,'identifiers')|string%},"
                + "{{[states(e),state_attr(e,'latitude'),state_attr(e,'longitude')]}}{%endfor%}]")
    }

    /// A string as Jinja writes it.
    private static func literal(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
