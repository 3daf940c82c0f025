/// Names that Home Assistant gave this machine's tracker and its notify action, which automations use.
public struct DeviceEntities: Equatable, Sendable {
    /// Template that renders to these names, with blanks between: the tracker of the device with the identity
    /// `id`, an `=` for each other device whose name gives the same action as `device`, and the action.
    public static let template =
        "{% for e in integration_entities('mobile_app') if e[:15]=='device_tracker.' %}"
        + "{% if id in device_attr(e,'identifiers')|string %}{{ e }} "
        + "{% elif device_attr(e,'name')|slugify==device|slugify %}= {% endif %}{% endfor %}"
        + "notify.{{ ('mobile_app_'~device)|slugify }}"

    /// Entity id of the tracker; `nil` where Home Assistant shows none.
    private let tracker: String?
    /// The notify action; `nil` where another device may have the same action.
    private let action: String?

    /// Reads what the template rendered to; `nil` if it is something else.
    public init?(rendered text: String) {
        var words = text.split(separator: " ").map(String.init)
        guard let action = words.popLast(), action.hasPrefix("notify.mobile_app") else {
            return nil
        }
        let names = words.filter { $0 != "=" }
        tracker = names.count == 1 ? names[0] : nil
        self.action = names.count == words.count ? action : nil
    }

    /// A line for people.
    ///
    /// - Parameters:
    ///   - hasLocation: whether this machine reports its location.
    ///   - hasNotifications: whether notifications come to this machine.
    public func text(hasLocation: Bool, hasNotifications: Bool) -> String? {
        let parts = [
            hasLocation ? tracker.map { "\($0) shows the location" } : nil,
            hasNotifications ? action.map { "the action \($0) sends a notification here" } : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : "In Home Assistant: \(parts.joined(separator: ", and "))."
    }
}
