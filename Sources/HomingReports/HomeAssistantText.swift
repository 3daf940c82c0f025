public import HomingJSON

/// Facts that Home Assistant tells of itself, as people read them.
public struct HomeAssistantText {
    let reply: JSONValue

    /// - Parameter reply: that of `get_config`.
    public init(_ reply: JSONValue) { self.reply = reply }

    /// Lines; the last without its end. What Home Assistant does not tell has none.
    public var text: String {
        TextTable.text(labelled: [
            ("Version", reply["version"]?.text), ("Name", reply["location_name"]?.text),
            ("Location", place), ("Elevation", reply["elevation"]?.text.map { "\($0) m" }),
            ("Time zone", reply["time_zone"]?.text), ("Units", units),
            ("Cloudhook", reply["cloudhook_url"]?.text),
            ("Remote UI", reply["remote_ui_url"]?.text),
            ("Components", reply["components"].map { "\($0.elements.count) loaded" }),
            ("Entities", entities),
        ])
    }

    private var place: String? {
        guard let latitude = reply["latitude"]?.text, let longitude = reply["longitude"]?.text
        else { return nil }
        return "\(latitude), \(longitude)"
    }

    private var units: String? {
        let unit = { (name: String) in reply["unit_system"]?[name]?.text }
        let known = [unit("length"), unit("temperature"), unit("mass")].compactMap { $0 }
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }

    private var entities: String? {
        guard case .object(let entities)? = reply["entities"] else { return nil }
        let disabled = entities.values.count { $0["disabled"]?.isTrue ?? false }
        return "\(entities.count)" + (disabled > 0 ? ", \(disabled) of them disabled" : "")
    }
}
