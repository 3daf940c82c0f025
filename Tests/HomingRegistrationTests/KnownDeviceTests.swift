import HomeAssistantAPI
import Testing

@testable import HomingRegistration

struct KnownDeviceTests {
    private func name(_ text: String) -> String? { KnownDevice.answer(in: Array(text.utf8)) }

    @Test("a name is read from the template's result, whatever the name looks like")
    func names() {
        for name in ["sbc", "12", "[1, 2]", "name: x", "Ada's \u{1F690}"] {
            #expect(
                self.name(#"{"id":1,"type":"event","event":{"result":"name:\#(name)"}}"#) == name)
        }
    }

    @Test("no device, a template that fails and a result of another kind are no name")
    func noName() {
        #expect(name(#"{"id":1,"type":"event","event":{"result":"name:"}}"#) == "")
        #expect(name(#"{"id":1,"type":"event","event":{"error":"x","level":"ERROR"}}"#) == "")
        #expect(name(#"{"id":1,"type":"event","event":{"result":12}}"#) == "")
        #expect(name(#"{"id":1,"type":"event","event":{"result":"x"}}"#) == "")
    }

    @Test(
        "a device is this machine's by the wanted name, and by each name that Home Assistant was told"
    )
    func ownNames() throws {
        let device = MachineDescription.read(name: "Van", id: "0123")
        #expect(RegistrationPlan.isOwn("Van", of: device, nil))
        #expect(!RegistrationPlan.isOwn("sbc", of: device, nil))
        var known = Registration(
            instanceURL: "http://10.0.0.2:8123", cloudhookURL: nil, remoteUIURL: nil,
            webhookID: "w",
            secret: nil, deviceID: "0123", deviceName: "sbc ", homeNetworks: [], authorization: nil)
        // Home Assistant's template leaves blanks at the end out.
        #expect(RegistrationPlan.isOwn("sbc", of: device, known))
        #expect(!RegistrationPlan.isOwn("camper", of: device, known))
        known.told = MachineReport(
            appVersion: "1", device: MachineDescription.read(name: "camper", id: "0123"))
        #expect(RegistrationPlan.isOwn("camper", of: device, known))
    }

    @Test("another message is no answer")
    func otherMessages() {
        #expect(name(#"{"id":1,"type":"result","success":true,"result":null}"#) == nil)
        #expect(name("[]") == nil)
    }

    @Test("an identity that could end the template's text is not asked about")
    func identities() {
        #expect(KnownDevice.question(about: "a'b") == nil)
        #expect(KnownDevice.question(about: "") == nil)
        #expect(KnownDevice.question(about: "0123456789abcdef-A_") != nil)
    }
}
