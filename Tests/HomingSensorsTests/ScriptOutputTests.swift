import HomingBase
import HomingTestKit
import Testing

@testable import HomingSensors

@Suite struct ScriptOutputTests {
    private func output(_ text: String, of script: String = "room") throws(ScriptFault)
        -> ScriptOutput
    {
        try ScriptOutput(Array(text.utf8), of: script)
    }

    private func fault(_ text: String) -> String {
        do throws(ScriptFault) {
            return "no fault: \(try output(text))"
        } catch {
            return error.message
        }
    }

    /// A whole output with one sensor, whose fields these are, or others.
    private func sensor(_ fields: String) -> String { "{\"sensors\": [{\(fields)}]}" }
    private let plain = "\"unique_id\": \"a\", \"name\": \"A\", \"state\": 1"

    @Test("all of it is read, in Home Assistant's words")
    func everything() throws {
        let read = try output(
            """
            {"interval": 60, "timeout": 5, "sensors": [
              {"unique_id": "inside", "name": "Temperature inside", "state": 21.5,
               "device_class": "temperature", "unit_of_measurement": "°C",
               "state_class": "measurement", "entity_category": "diagnostic",
               "icon": "mdi:thermometer", "attributes": {"place": "kitchen", "low": true}},
              {"unique_id": "window", "name": "Window", "state": false, "device_class": "window"},
              {"unique_id": "door", "name": "Door", "type": "binary_sensor", "state": null},
              {"unique_id": "mood", "name": "Mood", "state": "grumpy", "icon": null}
            ]}
            """, of: "Living-Room")
        #expect(read.interval == 60)
        #expect(read.timeout == 5)
        let ids = ["inside", "window", "door", "mood"].map { "script_living_room_\($0)" }
        #expect(read.readings.map(\.sensor.uniqueID) == ids)
        let inside = read.readings[0]
        #expect(inside.sensor.family == "script_living_room")
        #expect(inside.sensor.name == "Temperature inside")
        #expect(inside.sensor.deviceClass == "temperature" && inside.sensor.unit == "°C")
        #expect(inside.sensor.stateClass == .measurement && inside.sensor.isDiagnostic)
        #expect(inside.sensor.icon == "mdi:thermometer")
        #expect(inside.state == .number(21.5))
        #expect(inside.attributes == ["place": .text("kitchen"), "low": .boolean(true)])
        #expect(inside.sensor.urgency == .patient)
        let (window, door, mood) = (read.readings[1], read.readings[2], read.readings[3])
        #expect(window.sensor.kind == .binarySensor && window.state == .boolean(false))
        #expect(window.sensor.urgency == .prompt)
        #expect(door.sensor.kind == .binarySensor && door.state == .unknown)
        #expect(mood.sensor.kind == .sensor && mood.state == .text("grumpy"))
        #expect(mood.sensor.icon == "mdi:script-text-outline" && !mood.sensor.isDiagnostic)
    }

    @Test("the least is a list, which may be empty")
    func least() throws {
        let read = try output("{\"sensors\": []}")
        #expect(read.readings.isEmpty && read.interval == nil && read.timeout == nil)
    }

    @Test(
        "what is no answer at all is named",
        arguments: [
            ("", "its output is empty"), ("hello", "its output is not JSON"),
            ("[]", "its output is not a JSON object"), ("{}", "sensors is missing"),
            ("{\"sensors\": {}}", "sensors is not a list"),
            (
                "{\"sensors\": [], \"intervall\": 1}",
                "intervall is not a known field: interval, timeout, sensors"
            ),
            (
                "{\"sensors\": [], \"interval\": 9}",
                "interval is not a whole number of seconds, 10 to 86400"
            ),
            (
                "{\"sensors\": [], \"timeout\": \"5\"}",
                "timeout is not a whole number of seconds, 1 to 60"
            ),
            ("{\"sensors\": [1]}", "sensors[0] is not a JSON object"),
            ("{\"sensors\": []} x", "its output is not JSON"),
        ])
    func whole(_ text: String, _ message: String) {
        #expect(fault(text) == message)
    }

    @Test(
        "a field that is wrong is named with its place",
        arguments: [
            ("\"unique_id\": \"a\", \"name\": \"A\"", "state is missing"),
            ("\"unique_id\": \"a\", \"state\": 1", "name is missing"),
            ("\"name\": \"A\", \"state\": 1", "unique_id is missing"),
            (
                "\"unique_id\": \"A b\", \"name\": \"A\", \"state\": 1",
                "unique_id is not 1 to 64 small letters, digits and single _"
            ),
            ("\"unique_id\": 1, \"name\": \"A\", \"state\": 1", "unique_id is not a text"),
            (
                "\"unique_id\": \"a\", \"name\": \"\", \"state\": 1",
                "name is not 1 to 100 characters long"
            ),
            (
                "\"unique_id\": \"a\", \"name\": \"A\", \"state\": [1]",
                "state is a list or an object"
            ),
            (
                "PLAIN, \"unit\": \"W\"",
                "unit is not a known field: attributes, device_class, entity_category, icon, "
                    + "name, state, state_class, type, unique_id, unit_of_measurement"
            ),
            (
                "PLAIN, \"device_class\": \"warmth\"",
                "device_class \"warmth\" is not one of sensor's"
            ),
            (
                "PLAIN, \"device_class\": \"temperature\", \"unit_of_measurement\": \"W\"",
                "unit_of_measurement \"W\" is not a unit of temperature: °C, °F, K"
            ),
            (
                "PLAIN, \"device_class\": \"temperature\"",
                "unit_of_measurement is missing: temperature has °C, °F, K"
            ),
            (
                "PLAIN, \"state_class\": \"measured\"",
                "state_class \"measured\" is not allowed; allowed is measurement, total, "
                    + "total_increasing"
            ),
            (
                "PLAIN, \"entity_category\": \"config\"",
                "entity_category \"config\" is not allowed; allowed is diagnostic"
            ),
            ("PLAIN, \"icon\": \"battery\"", "icon \"battery\" is not of the form mdi:name"),
            (
                "PLAIN, \"type\": \"binary_sensor\"",
                "state is not true or false, as of a binary_sensor"
            ),
            (
                "PLAIN, \"type\": \"switch\"",
                "type \"switch\" is not allowed; allowed is sensor, binary_sensor"
            ),
            ("PLAIN, \"attributes\": [1]", "attributes is not an object"),
            ("PLAIN, \"attributes\": {\"x\": {}}", "attributes.x is a list or an object"),
            (
                "\"unique_id\": \"a\", \"name\": \"A\", \"state\": \"warm\", "
                    + "\"unit_of_measurement\": \"°C\"", "state is a text where a number is due"
            ),
            (
                "\"unique_id\": \"a\", \"name\": \"A\", \"state\": \"today\", "
                    + "\"device_class\": \"timestamp\"",
                "state is not a time as 2026-11-21T08:00:00+00:00"
            ),
            (
                "\"unique_id\": \"a\", \"name\": \"A\", \"state\": true, \"type\": \"sensor\"",
                "state is true or false, which only a binary_sensor says"
            ),
        ])
    func field(_ fields: String, _ message: String) {
        let text = sensor(fields.replacing("PLAIN", with: plain))
        #expect(fault(text) == "sensors[0].\(message)")
    }

    @Test("one wrong sensor spoils all, an id may not stand twice, and there is an end to many")
    func several() {
        let second = "{\"sensors\": [{\(plain)}, {\(plain), \"type\": 1}]}"
        #expect(fault(second) == "sensors[1].type is not a text")
        #expect(
            fault("{\"sensors\": [{\(plain)}, {\(plain)}]}")
                == "sensors[1].unique_id was there before")
        let many = Array(repeating: "{\(plain)}", count: 51).joined(separator: ",")
        #expect(fault("{\"sensors\": [\(many)]}") == "sensors has more than 50 entries")
    }

    @Test("no output, however broken, traps the reader")
    func random() {
        let seed = TestRun.seed()
        print("ScriptOutputTests: HOMING_SEED=\(seed)")
        var random = SeededRandom(seed: seed)
        let parts = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "1e999", "-0", "0.1", "\u{0}",
            "\"sensors\"", "\"state\"", "\"name\"", "\"unique_id\"", "\"a\"", plain, "\"interval\"",
            "60", "\"attributes\"", "{\"sensors\":[{", "}]}", "\u{FEFF}", "\\ud800", "é",
        ]
        for _ in 0..<5000 {
            let count = Int.random(in: 0...30, using: &random)
            var text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            if Bool.random(using: &random) { text = "{\"sensors\":[{\(text)}]}" }
            var bytes = Array(text.utf8)
            if !bytes.isEmpty, Bool.random(using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = .random(in: 0...255, using: &random)
            }
            guard let read = try? ScriptOutput(bytes, of: "x") else { continue }
            for reading in read.readings {
                #expect(reading.sensor.problem(with: reading.state) == nil, "seed \(seed)")
            }
        }
        let deep = String(repeating: "[", count: ScriptOutput.limit)
        #expect(fault(deep) == "its output is nested too deeply")
        let deepObject =
            String(repeating: "{\"a\":", count: 400) + "1"
            + String(repeating: "}", count: 400)
        #expect(fault(deepObject) == "its output is nested too deeply")
        #expect(fault("{\"interval\":1e400}").contains("a number that is too large"))
    }
}
