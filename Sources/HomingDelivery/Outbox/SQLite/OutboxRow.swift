internal import HomingLocation
internal import HomingSQLite

/// The translation between an entry and the columns of its table.
enum OutboxRow {
    /// The values of an entry, in the order of its table's columns.
    static func values(of entry: OutboxEntry) -> [SQLValue] {
        let common: [SQLValue] = [
            .integer(entry.id.number), .real(entry.acceptedAt), SQLValue(entry.expiresAt),
        ]
        switch entry.message {
        case .location(let message): return common + values(of: message)
        case .sensor(let message): return common + [.text(message.uniqueID), .text(message.item)]
        case .event(let message): return common + [.text(message.type), .text(message.data)]
        }
    }

    private static func values(of message: LocationMessage) -> [SQLValue] {
        let battery = SQLValue(message.battery)
        switch message.place {
        case .fix(let fix):
            return [
                .real(fix.time), .real(fix.coordinate.latitude), .real(fix.coordinate.longitude),
                .real(fix.accuracy), SQLValue(fix.mode.rawValue), SQLValue(fix.altitude),
                SQLValue(fix.verticalAccuracy), SQLValue(fix.speed), SQLValue(fix.course),
                SQLValue(fix.source.rawValue), battery, .null,
            ]
        case .zone(let name, let time):
            let nothing = Array(repeating: SQLValue.null, count: 9)
            return [.real(time)] + nothing + [battery, .text(name)]
        }
    }

    /// The entry in a whole row, or `nil` if the row is damaged.
    static func entry(_ stream: Stream, in columns: some RowColumns, trackThrough: Int64)
        -> OutboxEntry?
    {
        var row = RowReader(columns)
        let number = row.number(0)
        let acceptedAt = row.real(1)
        let expiresAt = row.optionalReal(2)
        guard let message = message(stream, in: &row), row.isSound else { return nil }
        let isTrack = stream == .location && number <= trackThrough
        return OutboxEntry(
            id: EntryID(stream, number), message: message, acceptedAt: acceptedAt,
            expiresAt: expiresAt, freshness: isTrack ? .history : .live)
    }

    private static func message(_ stream: Stream, in row: inout RowReader<some RowColumns>)
        -> OutboxMessage?
    {
        switch stream {
        case .location:
            let battery = row.optionalReal(13)
            return place(in: &row).map { .location(LocationMessage(place: $0, battery: battery)) }
        case .sensors:
            return .sensor(SensorMessage(uniqueID: row.text(3), item: row.object(4, isValid: 5)))
        case .events:
            return .event(EventMessage(type: row.text(3), data: row.object(4, isValid: 5)))
        }
    }

    private static func place(in row: inout RowReader<some RowColumns>) -> LocationMessage.Place? {
        let time = row.real(3)
        if let zone = row.optionalText(14) { return .zone(name: zone, time: time) }
        guard row.isSound,
            let coordinate = Coordinate(latitude: row.real(4), longitude: row.real(5)),
            let mode = FixMode(rawValue: Int(clamping: row.number(7))),
            let source = PositionSource(rawValue: Int(clamping: row.number(12)))
        else { return nil }
        let accuracy = row.real(6)
        guard accuracy > 0 else { return nil }
        return .fix(
            Fix(
                coordinate: coordinate, accuracy: accuracy, time: time, mode: mode,
                altitude: row.optionalReal(8), verticalAccuracy: row.optionalReal(9),
                speed: row.optionalReal(10), course: row.optionalReal(11), source: source))
    }
}
