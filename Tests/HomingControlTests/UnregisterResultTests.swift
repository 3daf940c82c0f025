import Testing

@testable import HomingControl

/// The words at the end of a registration.
@Suite struct UnregisterResultTests {
    @Test("The device that stays in Home Assistant is named, if the name is known")
    func device() {
        for token in [UnregisterResult.Token.revoked, .given, .left] {
            let named = UnregisterResult(token, deviceName: "Boat").text
            #expect(named.contains("The device Boat is still in Home Assistant."), "\(named)")
            let unnamed = UnregisterResult(token).text
            #expect(unnamed.contains("The device is still in Home Assistant."), "\(unnamed)")
        }
        for token in [UnregisterResult.Token.shared, .absent] {
            #expect(!UnregisterResult(token, deviceName: "Boat").text.contains("Boat"))
        }
        for token in [UnregisterResult.Token.revoked, .given, .left] {
            let unknown = UnregisterResult(token, deviceName: "Boat", isUnknown: true).text
            #expect(unknown.contains("the device Boat was deleted there, another daemon uses"))
            #expect(!unknown.contains("is still in Home Assistant"), "\(unknown)")
        }
        let left = UnregisterResult(.left, reason: "no answer", deviceName: "Boat").text
        #expect(left.contains("(no answer): delete \"Homing on Boat\" in your profile"), "\(left)")
        #expect(left.contains("earlier name of the device"))
        let titled = UnregisterResult(
            .left, deviceName: "Boat", tokenTitle: "\"Homing on van 1a2b\""
        )
        .text
        #expect(titled.contains("delete \"Homing on van 1a2b\" in your profile"), "\(titled)")
        #expect(!titled.contains("earlier name"))
    }
}
