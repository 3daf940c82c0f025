import HomeAssistantAPI
import HomingJSON
import Testing

@testable import HomingRegistration

struct KnownDeviceTests {
    private static func device(_ devices: String) -> KnownDevice? {
        let message = #"{"id":1,"type":"result","success":true,"result":[\#(devices)]}"#
        return JSONValue(json: Array(message.utf8)).flatMap { KnownDevice.device("0123", in: $0) }
    }

    @Test("the device is found by its whole identity among mobile_app's devices")
    func found() {
        let other = #"{"identifiers":[["mobile_app","01234"],["hue","0123"]],"name":"phone"}"#
        let ours =
            #"{"identifiers":[["x","y"],["mobile_app","0123"]],"name":"sbc","name_by_user":null}"#
        #expect(Self.device("\(other),\(ours)") == KnownDevice(name: "sbc"))
        #expect(Self.device(other) == nil)
        #expect(Self.device("") == nil)
        #expect(Self.device(#"{},7,null,{"identifiers":{"0123":1}}"#) == nil)
    }

    @Test("the name that a person gave is shown, and is a name of the device too")
    func givenName() throws {
        let renamed = try #require(
            Self.device(
                #"{"identifiers":[["mobile_app","0123"]],"name":"sbc","name_by_user":"My Boat"}"#))
        #expect(renamed.shownName == "My Boat")
        for name in ["sbc", "My Boat", "my boat", " SBC "] {
            #expect(renamed.isOwn(MachineDescription.read(name: name, id: "0123"), nil), "\(name)")
        }
        #expect(!renamed.isOwn(MachineDescription.read(name: "Van", id: "0123"), nil))
    }

    @Test("a device is this machine's by each name that Home Assistant was told")
    func ownNames() {
        let device = MachineDescription.read(name: "Van", id: "0123")
        var known = Registration(
            instanceURL: "http://10.0.0.2:8123", cloudhookURL: nil, remoteUIURL: nil,
            webhookID: "w", secret: nil, deviceID: "0123", deviceName: "sbc", homeNetworks: [],
            authorization: nil)
        #expect(!KnownDevice(name: "sbc").isOwn(device, nil))
        #expect(KnownDevice(name: "sbc").isOwn(device, known))
        #expect(!KnownDevice(name: "camper").isOwn(device, known))
        known.told = MachineReport(
            appVersion: "1", device: MachineDescription.read(name: "camper", id: "0123"))
        #expect(KnownDevice(name: "camper").isOwn(device, known))
        // What Home Assistant makes of an empty name.
        #expect(KnownDevice(name: "0123").isOwn(device, nil))
    }
}
