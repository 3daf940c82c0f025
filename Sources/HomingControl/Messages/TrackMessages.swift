internal import HomingJSON
public import HomingLocation

/// A page of the track log, in order of time.
public struct TrackPage: Codable, Equatable, Sendable {
    /// Each: time, latitude, longitude, accuracy, altitude, speed, course, who told the time where that was
    /// not the receiver, and the source of the position where that was not gpsd.
    public var points: [[Double?]]
    /// Start of the next page; `nil` after the last page.
    public var next: TrackCursor?

    public init(_ points: [Fix], next: TrackCursor?) {
        self.points = points.map { point in
            let timeSource = point.timeSource == .receiver ? nil : Double(point.timeSource.rawValue)
            let source = point.source == .gpsd ? nil : Double(point.source.rawValue)
            let values = [
                point.time, point.coordinate.latitude, point.coordinate.longitude, point.accuracy,
                point.altitude, point.speed, point.course, timeSource, source,
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
            guard 7...9 ~= row.count, let time = row[0], let latitude = row[1],
                let longitude = row[2],
                let coordinate = Coordinate(latitude: latitude, longitude: longitude),
                let accuracy = row[3]
            else { return nil }
            return Fix(
                coordinate: coordinate, accuracy: accuracy, time: time,
                timeSource: Self.word(row, 7) ?? .receiver, altitude: row[4], speed: row[5],
                course: row[6], source: Self.word(row, 8) ?? .gpsd)
        }
    }

    /// Reads a word that stands as its number; `nil` where the row says nothing.
    private static func word<Word: RawRepresentable<Int>>(_ row: [Double?], _ index: Int) -> Word? {
        guard row.indices.contains(index) else { return nil }
        return row[index].flatMap(Int.init(exactly:)).flatMap(Word.init(rawValue:))
    }
}
