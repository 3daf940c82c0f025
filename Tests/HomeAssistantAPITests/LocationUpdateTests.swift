import HomeAssistantAPI
import HomingJSON
import HomingTestKit
import Testing

/// `update_location` is valid by construction: every field through every kind of value. The table
/// is a golden file, whose every line is also sent to real Home Assistants (Tests/EndToEnd).
@Suite struct LocationUpdateTests {
    private static let values: [(name: String, value: Double?)] = [
        ("absent", nil), ("NaN", .nan), ("infinite", .infinity), ("-infinite", -.infinity),
        ("negative", -7), ("-0.4", -0.4), ("0", 0), ("0.4", 0.4), ("0.6", 0.6), ("1", 1),
        ("12.7", 12.7), ("359.7", 359.7), ("huge", 1e300),
    ]

    private static var goldenPath: String {
        #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
            + "/Golden/location-updates.jsonl"
    }

    private static func update(_ field: String, _ value: Double?) -> LocationUpdate? {
        let place = (latitude: 59.3293, longitude: 18.0686)
        switch field {
        case "gps_accuracy":
            return value.flatMap {
                LocationUpdate(latitude: place.latitude, longitude: place.longitude, accuracy: $0)
            }
        case "latitude":
            return value.flatMap { LocationUpdate(latitude: $0, longitude: 18, accuracy: 5) }
        case "longitude":
            return value.flatMap { LocationUpdate(latitude: 59, longitude: $0, accuracy: 5) }
        default: break
        }
        func own(_ name: String) -> Double? { name == field ? value : nil }
        return LocationUpdate(
            latitude: place.latitude, longitude: place.longitude, accuracy: 5,
            battery: own("battery"), speed: field == "speed" ? value : 10,
            altitude: own("altitude"), course: own("course"),
            verticalAccuracy: own("vertical_accuracy"))
    }

    private static func table() -> String {
        let fields = [
            "latitude", "longitude", "gps_accuracy", "battery", "speed", "altitude", "course",
            "vertical_accuracy",
        ]
        var lines: [String] = []
        for field in fields {
            for (name, value) in values {
                let json = update(field, value).map {
                    String(decoding: $0.json(), as: UTF8.self)
                }
                lines.append(
                    "{\"field\":\"\(field)\",\"value\":\"\(name)\",\"message\":\(json ?? "null")}")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test("Every field, given every kind of value, makes a valid message or none")
    func goldenTable() throws {
        let table = Self.table()
        #expect(Golden.difference(table, from: Self.goldenPath) == nil)
    }

    @Test("No message holds a number below 1, but for latitude and longitude")
    func nothingBelowOne() {
        for field in ["battery", "speed", "altitude", "course", "vertical_accuracy"] {
            for (_, value) in Self.values {
                guard let update = Self.update(field, value) else { continue }
                let numbers = [
                    update.gpsAccuracy, update.battery, update.speed, update.altitude,
                    update.course, update.verticalAccuracy,
                ]
                #expect(numbers.compactMap { $0 }.allSatisfy { $0 >= 1 })
            }
        }
    }

    @Test("North goes as 360, and a course without speed is left out")
    func course() {
        func course(_ course: Double, speed: Double?) -> Int? {
            LocationUpdate(
                latitude: 1, longitude: 1, accuracy: 5, speed: speed, course: course)?.course
        }
        #expect(course(0, speed: 5) == 360)
        #expect(course(359.6, speed: 5) == 360)
        #expect(course(360, speed: 5) == 360)
        #expect(course(90, speed: 0.9) == nil)
        #expect(course(90, speed: nil) == nil)
        #expect(course(-90, speed: 5) == nil)
        #expect(course(361, speed: 5) == nil)
    }

    @Test("Accuracy is rounded up and never below 1")
    func accuracy() {
        func accuracy(_ metres: Double) -> Int? {
            LocationUpdate(latitude: 1, longitude: 1, accuracy: metres)?.gpsAccuracy
        }
        #expect(accuracy(0.1) == 1)
        #expect(accuracy(17.1) == 18)
        #expect(accuracy(1e12) == 20_037_508)
        #expect(accuracy(0) == nil)
        #expect(accuracy(-1) == nil)
    }

    @Test("The point 0,0 and what lies off the globe are no place")
    func places() {
        #expect(LocationUpdate(latitude: 0, longitude: 0, accuracy: 5) == nil)
        #expect(LocationUpdate(latitude: 90.01, longitude: 0, accuracy: 5) == nil)
        #expect(LocationUpdate(latitude: 10, longitude: -180.5, accuracy: 5) == nil)
        #expect(LocationUpdate(latitude: -90, longitude: 180, accuracy: 5) != nil)
    }

    @Test("A zone's name takes the place of coordinates, if it fits a state")
    func zones() {
        #expect(LocationUpdate(zone: "Work", battery: 50)?.locationName == "Work")
        #expect(LocationUpdate(zone: "Work")?.gps == nil)
        #expect(LocationUpdate(zone: "") == nil)
        // Home Assistant's words for a tracker that is not there.
        #expect(LocationUpdate(zone: "unavailable") == nil)
        #expect(LocationUpdate(zone: "unknown") == nil)
        #expect(LocationUpdate(zone: String(repeating: "x", count: 256)) == nil)
    }
}
