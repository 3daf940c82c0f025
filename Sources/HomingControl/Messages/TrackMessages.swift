public import HomingJSON
public import HomingLocation

/// A page of the track log, in order of time.
public struct TrackPage: Codable, Equatable, Sendable {
    /// Each: time, latitude, longitude, accuracy, altitude, speed, course, and who told the time where
    /// that was not the receiver.
    public var points: [JSONValue]
    /// Where the next page begins; `nil` after the last.
    public var next: TrackCursor?

    public init(_ points: [Fix], next: TrackCursor?) {
        self.points = points.map { point in
            let source = point.timeSource == .receiver ? nil : Double(point.timeSource.rawValue)
            let values = [
                point.time, point.coordinate.latitude, point.coordinate.longitude, point.accuracy,
                point.altitude, point.speed, point.course, source,
            ]
            // JSON knows no infinity, and a whole page would be lost for one.
            return .array(
                values.map { value in
                    value.flatMap { $0.isFinite ? .number($0) : nil } ?? .null
                })
        }
        self.next = next
    }

    /// The points; what is none is left out.
    public var trackPoints: [Fix] {
        points.compactMap { point in
            guard 7...8 ~= point.elements.count else { return nil }
            let row = point.elements.map(\.number)
            guard let time = row[0], let latitude = row[1], let longitude = row[2],
                let coordinate = Coordinate(latitude: latitude, longitude: longitude),
                let accuracy = row[3]
            else { return nil }
            return Fix(
                coordinate: coordinate, accuracy: accuracy, time: time,
                timeSource: Self.timeSource(row), altitude: row[4], speed: row[5], course: row[6])
        }
    }

    private static func timeSource(_ row: [Double?]) -> TimeSource {
        guard row.count == 8, let number = row[7].flatMap(Int.init(exactly:)) else {
            return .receiver
        }
        return TimeSource(rawValue: number) ?? .receiver
    }
}
