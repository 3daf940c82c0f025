import HomingBus
import HomingLocation
import Testing

@testable import HomingSources

/// Report of GeoClue about a place.
@Suite struct GeoClueLocationTests {
    private static func read(accuracy: Double) -> PositionReport {
        PositionReport(geoClue: [
            "Latitude": .number(52.5), "Longitude": .number(4.5), "Accuracy": .number(accuracy),
        ])
    }

    @Test(
        "An accuracy of 0 is unknown, and one that is no number of metres makes the place unusable")
    func accuracy() {
        #expect(Self.read(accuracy: 30).latitude == 52.5)
        #expect(Self.read(accuracy: 30).accuracy == 30)
        #expect(Self.read(accuracy: 0).latitude == 52.5 && Self.read(accuracy: 0).accuracy == nil)
        for accuracy in [Double.infinity, -.infinity, .nan, -1] {
            #expect(Self.read(accuracy: accuracy).latitude == nil, "\(accuracy)")
        }
    }
}
