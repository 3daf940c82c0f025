internal import HomingJSON
public import HomingLocation

/// A page of the track log, in order of time.
public struct TrackPage: Codable, Equatable, Sendable {
    /// Each: time, latitude, longitude, accuracy, altitude, speed, course, and who told the time where
    /// that was not the receiver.
    public var points: [[Double?]]
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
            return values.map { value in value.flatMap { $0.isFinite ? $0 : nil } }
        }
        self.next = next
    }

    private enum CodingKeys: CodingKey { case points, next }

    /// Reads the rows from their JSON values: Swift's own way makes a decoder for each number.
    public init(from decoder: any Decoder) throws {
        let page = try decoder.container(keyedBy: CodingKeys.self)
        next = try page.decodeIfPresent(TrackCursor.self, forKey: .next)
        points = try page.decode([JSONValue].self, forKey: .points).map { row in
            guard case .array(let values) = row else { throw Self.strangeRow(page) }
            return try values.map { value in
                switch value {
                case .null: nil
                case .whole(let number): Double(number)
                case .number(let number): number
                default: throw Self.strangeRow(page)
                }
            }
        }
    }

    private static func strangeRow(_ page: KeyedDecodingContainer<CodingKeys>) -> DecodingError {
        .dataCorruptedError(
            forKey: .points, in: page, debugDescription: "a row is no list of numbers")
    }

    /// The positions of the rows. Skips a row without a position.
    public var trackPoints: [Fix] {
        points.compactMap { row in
            guard 7...8 ~= row.count, let time = row[0], let latitude = row[1],
                let longitude = row[2],
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
