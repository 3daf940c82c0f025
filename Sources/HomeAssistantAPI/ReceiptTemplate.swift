/// The templates that make receipts. Home Assistant turns the rendered list into JSON values.
///
/// The full one gives `[nonce]`, and where our device has a tracker that is enabled
/// `[nonce, [state, latitude, longitude], time, tracker, witness, entity]`. The last two are absent
/// where the device has no other entity.
///
/// It finds the tracker by our own device id: Home Assistant's id of the device is not in the
/// `get_config` of 2024.3. `integration_entities` leaves out entities that are disabled or not
/// loaded yet. Of mobile_app's entities only trackers begin with "de".
///
/// The witness is the time of the oldest change among the device's other entities, and the entity is
/// the one that changed then. Times are seconds since 1970 by Home Assistant's clock. The tracker
/// itself changes with each position (`force_update`). A reload of our entry leaves entities of other
/// integrations as they are, so the template leaves these out. It also leaves out unavailable
/// entities, which can be unavailable before and after a reload.
///
/// The short one names the tracker, and gives `[nonce, [state, latitude, longitude]]`. Where it names
/// an entity as well, the time of that entity's last change follows; 0 if the entity is not there.
/// A tracker that is not there has the state `unknown` and no place.
enum ReceiptTemplate {
    /// - Parameter nonce: letters, digits, `-` and `_`.
    static func text(nonce: String, deviceID: String) -> String {
        "['\(nonce)'{%set m=integration_entities('mobile_app')%}{%for e in m if "
            + "e[:2]=='de'and\(literal(deviceID))in device_attr(e,'identifiers')|string%},"
            + "{{\(place)}},{{as_timestamp(now())}},'{{e}}'"
            + "{%for w in(expand(m|select('in',device_entities(device_id(e)))|reject('in',e)"
            + "|reject('is_state','unavailable'))|sort(attribute='last_changed'))[:1]%},"
            + "{{as_timestamp(w.last_changed)}},'{{w.entity_id}}'{%endfor%}"
            + "{%endfor%}]"
    }

    /// - Parameters:
    ///   - nonce: letters, digits, `-` and `_`.
    ///   - tracker: its entity id.
    ///   - witness: the entity id of another entity.
    static func short(nonce: String, tracker: String, witness: String?) -> String {
        let change =
            witness.map { ",{{as_timestamp(states[\(literal($0))].last_changed,0)}}" } ?? ""
        return "['\(nonce)'{%set e=\(literal(tracker))%},{{\(place)}}\(change)]"
    }

    private static let place = "[states(e),state_attr(e,'latitude'),state_attr(e,'longitude')]"

    /// A string as Jinja writes it.
    private static func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { $0 == "\\" || $0 == "'" ? "\\\($0)" : "\($0)" }
        return "'\(escaped.joined())'"
    }
}
