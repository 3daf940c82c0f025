import HomingReports
import Testing

/// The line about the entities of this machine at the end of setup.
@Suite struct DeviceEntitiesTests {
    private static let rendered = "device_tracker.van notify.mobile_app_van"

    @Test("The tracker and the action are named")
    func both() {
        #expect(
            DeviceEntities(rendered: Self.rendered)?.text(hasNotifications: true)
                == "In Home Assistant: device_tracker.van shows the location, "
                + "the action notify.mobile_app_van sends a notification here.")
    }

    @Test("An action that brings nothing here is not named")
    func withoutNotifications() {
        #expect(
            DeviceEntities(rendered: Self.rendered)?.text(hasNotifications: false)
                == "In Home Assistant: device_tracker.van shows the location.")
        #expect(
            DeviceEntities(rendered: "notify.mobile_app_van")?.text(hasNotifications: false) == nil)
    }

    @Test("Of two trackers of devices with the same name, neither is named")
    func twoTrackers() {
        let text = "device_tracker.van device_tracker.van_2 notify.mobile_app_van"
        #expect(
            DeviceEntities(rendered: text)?.text(hasNotifications: true)
                == "In Home Assistant: the action notify.mobile_app_van sends a notification here.")
    }

    @Test("Another text is not taken for names", arguments: ["", "unknown", "12 x"])
    func others(_ text: String) {
        #expect(DeviceEntities(rendered: text) == nil)
    }
}
