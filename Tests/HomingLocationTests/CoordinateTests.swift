import HomingBase
import HomingTestKit
import Testing

@testable import HomingLocation

@Suite struct CoordinateTests {
    @Test("Rounded to 7 decimals, a place is never more than a centimetre off, and stays that way")
    func rounded() throws {
        let seed = TestRun.seed()
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            let place = try #require(
                Coordinate(
                    latitude: .random(in: -90...90, using: &random),
                    longitude: .random(in: -180...180, using: &random)))
            let rounded = place.rounded
            #expect(Geodesy.distance(place, rounded) < 0.01, "HOMING_SEED=\(seed) \(place)")
            #expect(rounded.rounded == rounded, "HOMING_SEED=\(seed) \(place)")
            for value in [rounded.latitude, rounded.longitude] where abs(value) >= 0.001 {
                let decimals = "\(value)".split(separator: ".").last?.count ?? 0
                #expect(decimals <= 7, "HOMING_SEED=\(seed) \(value)")
            }
        }
    }

    @Test("The ends of the Earth round to places, and what lies beside 0,0 is still one")
    func ends() throws {
        for (latitude, longitude) in [
            (90.0, 180.0), (-90, -180), (89.99999999, 179.99999999), (-89.99999999, -179.99999999),
            (1e-9, 0), (0, -1e-300),
        ] {
            let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
            #expect(Geodesy.distance(place, place.rounded) < 0.01)
            #expect(place.rounded.rounded == place.rounded)
        }
    }
}
