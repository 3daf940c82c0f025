import HomeAssistantAPI
import HomingJSON
import Testing

/// Content of each command, letter by letter, as Home Assistant's schemas want it.
@Suite struct CommandTests {
    private func body(_ request: WebhookRequest) throws -> String {
        String(
            decoding: try WebhookEnvelope(sealer: nil).body(for: request), as: UTF8.self)
    }

    private func object(_ request: WebhookRequest) throws -> [String: JSONValue] {
        struct Envelope: Decodable {
            var type: String
            var data: JSONValue
        }
        let envelope = try JSON.decode(
            Envelope.self, from: try WebhookEnvelope(sealer: nil).body(for: request))
        #expect(envelope.type == request.type)
        guard case .object(let data) = envelope.data else { return [:] }
        return data
    }

    @Test("A sensor's registration has all that Home Assistant keeps, and never `disabled`")
    func sensorRegistration() throws {
        let sensor = SensorRegistration(
            uniqueID: "battery_level", name: "Battery level", type: "sensor",
            deviceClass: "battery", stateClass: "measurement", unitOfMeasurement: "%",
            entityCategory: "diagnostic", icon: "mdi:battery", state: .whole(81))
        #expect(
            try object(.registerSensor(try #require(sensor.json()))) == [
                "unique_id": .string("battery_level"), "name": .string("Battery level"),
                "type": .string("sensor"), "device_class": .string("battery"),
                "state_class": .string("measurement"), "unit_of_measurement": .string("%"),
                "entity_category": .string("diagnostic"), "icon": .string("mdi:battery"),
                "state": .whole(81), "attributes": .object([:]),
            ])
    }

    @Test("A binary sensor carries no state class, which Home Assistant would refuse")
    func binarySensor() throws {
        let sensor = SensorRegistration(
            uniqueID: "charging", name: "Charging", type: "binary_sensor",
            stateClass: "measurement", icon: "mdi:power", state: .boolean(true))
        let data = try object(.registerSensor(try #require(sensor.json())))
        #expect(data["state_class"] == nil)
        #expect(data["state"] == .boolean(true))
    }

    @Test("Updates travel in one list, each item complete and with no key more")
    func sensorUpdates() throws {
        let sensor = SensorRegistration(
            uniqueID: "a", name: "A", type: "sensor", deviceClass: "battery", icon: "mdi:a/b",
            state: .null, attributes: ["k": .whole(1)])
        let json = try #require(sensor.json())
        #expect(SensorRegistration.isWhole(json))
        let item = try #require(SensorRegistration.update(from: json))
        #expect(!SensorRegistration.isWhole(item))
        #expect(SensorRegistration.update(from: item) == item)
        #expect(SensorRegistration.update(from: "[1]") == nil)
        #expect(
            item
                == #"{"attributes":{"k":1},"icon":"mdi:a/b","state":null,"type":"sensor","unique_id":"a"}"#
        )
        #expect(
            try body(.updateSensorStates([item, item]))
                == "{\"type\":\"update_sensor_states\",\"data\":[\(item),\(item)]}")
    }

    @Test("The reply to an update tells of each item")
    func sensorReply() throws {
        let reply = try JSON.decode(
            [String: SensorUpdateReply].self,
            from: Array(
                #"""
                {"a":{"success":true},"b":{"success":true,"is_disabled":true},
                 "c":{"success":false,"error":{"code":"not_registered","message":"sensor c"}}}
                """#.utf8
            ))
        #expect(reply["a"]?.success == true && reply["a"]?.isDisabled == nil)
        #expect(reply["b"]?.isDisabled == true)
        #expect(reply["c"]?.error?.code == "not_registered")
    }

    @Test("Service calls, templates, tags, words, cameras: the keys are Home Assistant's")
    func commands() throws {
        let call = ServiceCall(
            domain: "light", service: "turn_on", data: ["entity_id": .string("light.a")])
        #expect(
            try object(.callService(call)) == [
                "domain": .string("light"), "service": .string("turn_on"),
                "service_data": .object(["entity_id": .string("light.a")]),
            ])
        #expect(
            try object(.renderTemplate(["t": Template("{{ x }}", variables: ["x": .whole(1)])]))
                == [
                    "t": .object([
                        "template": .string("{{ x }}"), "variables": .object(["x": .whole(1)]),
                    ])
                ])
        #expect(try object(.scanTag(id: "door")) == ["tag_id": .string("door")])
        #expect(
            try object(.processConversation(ConversationInput(text: "hi", language: "en"))) == [
                "text": .string("hi"), "language": .string("en"),
            ])
        #expect(
            try object(.streamCamera(entityID: "camera.door"))
                == ["camera_entity_id": .string("camera.door")])
        #expect(try body(.enableEncryption) == #"{"type":"enable_encryption","data":{}}"#)
    }

    @Test("An updated registration has the four keys that are required, and tells of push again")
    func registrationUpdate() throws {
        let device = DeviceDescription(
            id: "i", name: "Van", manufacturer: "Raspberry Pi Ltd", model: "Pi 5", osName: "Debian",
            osVersion: "12")
        #expect(
            try object(
                .updateRegistration(
                    RegistrationUpdate(MachineReport(appVersion: "1.0", device: device))))
                == [
                    "app_version": .string("1.0"), "device_name": .string("Van"),
                    "manufacturer": .string("Raspberry Pi Ltd"), "model": .string("Pi 5"),
                    "os_version": .string("12"),
                    "app_data": .object(["push_websocket_channel": .boolean(true)]),
                ])
    }

    @Test("A mark is told with what else is told of push, and the reply tells whose stands there")
    func mark() throws {
        let device = DeviceDescription(
            id: "i", name: "Van", manufacturer: "m", model: "m", osName: "Debian", osVersion: "12")
        let report = MachineReport(appVersion: "1.0", device: device)
        let told = try object(.updateRegistration(RegistrationUpdate(report, mark: "a")))
        #expect(
            told["app_data"]
                == .object(["push_websocket_channel": .boolean(true), "homing_run": .string("a")]))
        let asking = try object(.updateRegistration(RegistrationUpdate(asking: report)))
        #expect(asking["app_data"] == nil && asking["device_name"] == .string("Van"))
        func mark(_ json: String) throws -> String? {
            try JSON.decode(RegistrationUpdateReply.self, from: Array(json.utf8)).mark
        }
        #expect(try mark(#"{"app_data":{"homing_run":"b","push_url":"x"}}"#) == "b")
        #expect(try mark(#"{"app_data":{}}"#) == nil)
        #expect(throws: (any Error).self) { try mark("{}") }
    }

    @Test("Home Assistant is told the relay's address and token together, and neither without one")
    func relay() throws {
        let device = DeviceDescription(
            id: "i", name: "Van", manufacturer: "m", model: "m", osName: "Debian", osVersion: "12")
        let relay = PushRelay(url: "https://relay.example/push", token: "t0p-secret")
        let told: JSONValue = .object([
            "push_websocket_channel": .boolean(true), "push_token": .string("t0p-secret"),
            "push_url": .string("https://relay.example/push"),
        ])
        let report = MachineReport(appVersion: "1.0", device: device)
        let update = try object(.updateRegistration(RegistrationUpdate(report, relay: relay)))
        #expect(update["app_data"] == told)
        for (relay, expected) in [
            (relay, told), (nil, .object(["push_websocket_channel": .boolean(true)])),
        ] {
            let request = RegistrationRequest(appVersion: "1.0", device: device, relay: relay)
            let json = try JSON.bytes(request, names: .snakeCase)
            let keys = try JSON.decode([String: JSONValue].self, from: json)
            #expect(keys["app_data"] == expected)
        }
        var shown = ""
        dump(relay, to: &shown)
        #expect(!"\(shown)\(relay)\(String(reflecting: relay))".contains("t0p-secret"))
    }

    @Test(
        "Any JSON comes back as it was",
        arguments: [
            "null", "true", "-3", "2.5", "\"a\\\"b\"", "[]", "{}", "[1,[2,{\"k\":[null,false]}]]",
        ])
    func jsonValues(_ text: String) throws {
        let value = try JSON.decode([JSONValue].self, from: Array("[\(text)]".utf8))
        let again = try JSON.bytes(value)
        #expect(String(decoding: again, as: UTF8.self) == "[\(text)]")
    }
}
