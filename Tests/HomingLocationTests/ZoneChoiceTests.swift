import HomingLocation
import Testing

/// The zone that a person names.
@Suite struct ZoneChoiceTests {
    private static func zone(_ id: String, _ name: String) -> Zone? {
        Coordinate(latitude: 52, longitude: 4).map {
            Zone(entityID: "zone.\(id)", name: name, coordinate: $0, radius: 100, passive: false)
        }
    }

    private let zones = [
        ZoneChoiceTests.zone("home", "Our house"), ZoneChoiceTests.zone("work", "Work"),
        ZoneChoiceTests.zone("school_2", "School"),
    ].compactMap { $0 }

    @Test(
        "A zone is found by its name, by its name in other letters, and by its id",
        arguments: [
            ("Work", "Work"), ("work", "Work"), ("WORK", "Work"), ("zone.work", "Work"),
            ("school_2", "School"), ("SCHOOL", "School"), ("home", "home"), ("Our house", "home"),
            ("zone.home", "home"),
            ("not_home", "not_home"),
        ])
    func found(text: String, state: String) {
        #expect(ZoneChoice(text, among: zones) == .known(state))
    }

    @Test("For a zone that is not there the nearest name is suggested, and all are listed")
    func suggestion() {
        let hint = #"did you mean "Work"? The zones are "home", "not_home", "Work", "School""#
        #expect(ZoneChoice("Wrok", among: zones) == .unknown(hint: hint))
    }

    @Test("Of many zones the first are listed")
    func many() {
        let many = (0..<50).compactMap { Self.zone("\($0)", "Z\($0)") }
        guard case .unknown(let hint) = ZoneChoice("Something else", among: many) else {
            Issue.record("it is no zone")
            return
        }
        #expect(hint.contains("\"Z5\" and more, see: homing zones") && !hint.contains("Z6"))
    }

    @Test("Without zones only home and not_home are known")
    func none() {
        #expect(ZoneChoice("home", among: []) == .known("home"))
        #expect(ZoneChoice("Work", among: []) != .known("Work"))
    }
}
