/// Names that Home Assistant gave this machine's tracker and its notify action, which automations use.
public struct DeviceEntities: Equatable, Sendable {
    /// Template that renders to these names, with blanks between. The variable `device` is the name of the
    /// device.
    public static let template =
        "{% for e in integration_entities('mobile_app') if e[:15]=='device_tracker.' and "
        + "device_attr(e,'name')==device %}{{ e }} {% endfor %}notify.mobile_app_{{ device|slugify }}"

    /// `nil` where another device has the same name.
    private let tracker: String?
    private let action: String

    /// Reads what the template rendered to; `nil` if it is something else.
    public init?(rendered text: String) {
        var names = text.split(separator: " ").map(String.init)
        guard let action = names.popLast(), action.hasPrefix("notify.mobile_app_") else {
            return nil
        }
        self.action = action
        tracker = names.count == 1 ? names[0] : nil
    }

    /// A line for people.
    ///
    /// - Parameter hasNotifications: whether notifications come to this machine.
    public func text(hasNotifications: Bool) -> String? {
        let parts = [
            tracker.map { "\($0) shows the location" },
            hasNotifications ? "the action \(action) sends a notification here" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : "In Home Assistant: \(parts.joined(separator: ", "))."
    }
}
