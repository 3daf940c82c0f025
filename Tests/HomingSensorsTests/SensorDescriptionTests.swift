import HomingSensors
import Testing

@Suite struct SensorDescriptionTests {
    private func sensor(
        kind: SensorDescription.Kind = .sensor, deviceClass: String? = nil,
        stateClass: SensorDescription.StateClass? = nil, unit: String? = nil,
        icon: String = "mdi:eye"
    ) -> SensorDescription {
        SensorDescription(
            "x", "X", kind: kind, deviceClass: deviceClass, stateClass: stateClass, unit: unit,
            icon: icon, summary: "X.")
    }

    @Test("one of several has an id and a name of its own, and belongs to its family")
    func family() {
        let one = sensor().one("USB Stick/é", named: "X of the stick")
        #expect(one.uniqueID == "x_usb_stick_ue9")
        #expect(one.name == "X of the stick")
        #expect(one.family == "x")
        #expect(one.one("b", named: "b").uniqueID == "x_b")
    }

    @Test("a unit goes with its device class, or the sensor is refused by the field's name")
    func units() {
        #expect(sensor(deviceClass: "temperature", unit: "°C").problem == nil)
        #expect(sensor(unit: "parsecs").problem == nil)
        #expect(sensor(deviceClass: "power_factor").problem == nil)
        #expect(
            sensor(deviceClass: "temperature", unit: "W").problem
                == SensorProblem(
                    "unit_of_measurement", "\"W\" is not a unit of temperature: °C, °F, K"))
        #expect(sensor(deviceClass: "battery").problem?.field == "unit_of_measurement")
        #expect(sensor(deviceClass: "timestamp", unit: "s").problem?.field == "unit_of_measurement")
        #expect(sensor(deviceClass: "warmth").problem?.field == "device_class")
        #expect(
            sensor(deviceClass: "enum", stateClass: .measurement).problem?.field == "state_class")
    }

    @Test("a binary sensor has neither unit nor state class, and classes of its own")
    func binary() {
        #expect(sensor(kind: .binarySensor, deviceClass: "plug").problem == nil)
        #expect(sensor(kind: .binarySensor, unit: "%").problem?.field == "unit_of_measurement")
        #expect(
            sensor(kind: .binarySensor, stateClass: .total).problem?.field == "state_class")
        #expect(
            sensor(kind: .binarySensor, deviceClass: "temperature").problem?.field
                == "device_class")
    }

    @Test("an icon is mdi:something", arguments: ["", "eye", "mdi:", "battery", "mdi:a b"])
    func icons(_ icon: String) { #expect(sensor(icon: icon).problem?.field == "icon") }

    @Test("a state that would break the entity is a problem; null and unavailable never are")
    func states() {
        let (number, text) = (sensor(unit: "%"), sensor())
        let binary = sensor(kind: .binarySensor)
        for any in [number, text, binary, sensor(deviceClass: "timestamp")] {
            #expect(any.problem(with: .unknown) == nil)
            #expect(any.problem(with: .unavailable) == nil)
        }
        #expect(number.problem(with: .whole(1)) == nil)
        #expect(number.problem(with: .text("1"))?.field == "state")
        #expect(number.problem(with: .number(.nan))?.field == "state")
        #expect(number.problem(with: .boolean(true))?.field == "state")
        #expect(sensor(stateClass: .total).problem(with: .text("1"))?.field == "state")
        #expect(text.problem(with: .text("on")) == nil)
        #expect(text.problem(with: .number(1.5)) == nil)
        #expect(binary.problem(with: .boolean(false)) == nil)
        #expect(binary.problem(with: .text("off"))?.field == "state")
        #expect(sensor(deviceClass: "enum").problem(with: .whole(1))?.field == "state")
    }

    @Test("a time is ISO 8601 with an offset, a date without a time")
    func times() {
        let (time, date) = (sensor(deviceClass: "timestamp"), sensor(deviceClass: "date"))
        for good in [
            "2026-11-21T08:00:00Z", "2026-11-21T08:00:00+00:00", "2026-11-21T08:00:00.123-05:30",
        ] {
            #expect(time.problem(with: .text(good)) == nil, "\(good)")
        }
        for bad in [
            "", "2026-11-21", "2026-11-21T08:00:00", "2026-11-21 08:00:00Z", "yesterday",
            "2026-11-21T08:00:00.Z", "2026-11-21T08:00:00+1", "2026-11-21T08:00:00Z ",
        ] {
            #expect(time.problem(with: .text(bad)) != nil, "\(bad)")
        }
        #expect(date.problem(with: .text("2026-11-21")) == nil)
        #expect(date.problem(with: .text("21.11.2026")) != nil)
    }

    @Test("a text is cut at 255 characters of Python's, and stays on one line")
    func texts() {
        let scalars = { (length: Int) in String(repeating: "é", count: length) }
        let state = { (text: String) -> String in
            guard case .text(let text) = SensorReading(sensor(), .text(text)).state else {
                return ""
            }
            return text
        }
        #expect(state(scalars(255)) == scalars(255))
        #expect(state(scalars(256)) == scalars(254) + "…")
        #expect(state("a\nb\u{0}c\u{85}d") == "a b c d")
        #expect(state(String(repeating: "\n", count: 256)).unicodeScalars.count == 255)
        let family = String(repeating: "👨‍👩‍👧", count: 100)
        #expect(state(family).unicodeScalars.count == 255)
        let reading = SensorReading(sensor(), .whole(1), attributes: ["a": .text(scalars(300))])
        #expect(reading.attributes["a"] == .text(scalars(254) + "…"))
    }

    @Test("a rounded number is whole without decimals, and unknown if it is none")
    func rounding() {
        #expect(SensorValue.rounded(1.5) == .whole(2))
        #expect(SensorValue.rounded(0.126, 2) == .number(0.13))
        #expect(SensorValue.rounded(-0.001, 2) == .number(0))
        #expect("\(SensorValue.rounded(-0.001, 2))" == "\(SensorValue.number(0))")
        #expect(SensorValue.rounded(1.23456789, 9) == .number(1.234568))
        for none in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(SensorValue.rounded(none) == .unknown)
            #expect(SensorValue.rounded(none, 3) == .unknown)
        }
        #expect(SensorValue.optional(nil as Double?) == .unknown)
        #expect(SensorValue.optional(2.25, 1) == .number(2.3))
        #expect(SensorValue.optional(nil as String?) == .unknown)
    }
}
