import HomingReports
import Testing

/// The line about the entities of this machine at the end of setup.
@Suite struct DeviceEntitiesTests {
    private static func text(
        _ rendered: String, location: Bool = true, notifications: Bool = true
    ) -> String? {
        DeviceEntities(rendered: rendered)?.text(
            hasLocation: location, hasNotifications: notifications)
    }

    @Test("The tracker and the action are named, as far as the machine uses them")
    func both() {
        let rendered = "device_tracker.van notify.mobile_app_van"
        let location = "device_tracker.van shows the location"
        let action = "the action notify.mobile_app_van sends a notification here"
        #expect(Self.text(rendered) == "In Home Assistant: \(location), and \(action).")
        #expect(Self.text(rendered, notifications: false) == "In Home Assistant: \(location).")
        #expect(Self.text(rendered, location: false) == "In Home Assistant: \(action).")
        #expect(Self.text(rendered, location: false, notifications: false) == nil)
    }

    @Test("Where another device has the same name, its action is not named")
    func sameName() {
        let rendered = "= device_tracker.van_2 notify.mobile_app_van"
        #expect(
            Self.text(rendered) == "In Home Assistant: device_tracker.van_2 shows the location.")
        #expect(Self.text("= notify.mobile_app_van") == nil)
    }

    @Test("A name without a letter gives an action without a name")
    func emptySlug() {
        #expect(
            Self.text("notify.mobile_app")
                == "In Home Assistant: the action notify.mobile_app sends a notification here.")
    }

    @Test("Without a tracker the action alone is named")
    func withoutTracker() {
        #expect(
            Self.text("notify.mobile_app_van")
                == "In Home Assistant: the action notify.mobile_app_van sends a notification here.")
    }

    @Test("Another text is not taken for names", arguments: ["", "unknown", "12 x"])
    func others(_ text: String) {
        #expect(DeviceEntities(rendered: text) == nil)
    }
}
