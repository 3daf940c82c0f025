internal import HomingLocation
internal import HomingSQLite

/// Location that was last reported to Home Assistant for the map.
struct LastDelivery {
    /// The row's number, 0 before the first.
    var number: Int64
    /// `nil` if the row named a zone.
    var coordinate: Coordinate?
}

extension MetaTable {
    func lastDelivery() throws(DatabaseError) -> LastDelivery {
        let number = try integer(.deliveredNumber) ?? 0
        guard let latitude = try real(.deliveredLatitude),
            let longitude = try real(.deliveredLongitude)
        else { return LastDelivery(number: number, coordinate: nil) }
        return LastDelivery(
            number: number, coordinate: Coordinate(latitude: latitude, longitude: longitude))
    }

    /// Keeps it unless a later row was delivered already.
    func noteDelivery(_ delivery: LastDelivery) throws(DatabaseError) {
        guard delivery.number > (try integer(.deliveredNumber) ?? 0) else { return }
        try replaceDelivery(delivery)
    }

    /// Keeps it in the place of any other.
    func replaceDelivery(_ delivery: LastDelivery) throws(DatabaseError) {
        try set(.deliveredNumber, .integer(delivery.number))
        try set(.deliveredLatitude, SQLValue(delivery.coordinate?.latitude))
        try set(.deliveredLongitude, SQLValue(delivery.coordinate?.longitude))
    }
}

extension SQLiteOutbox {
    /// Notes the newest of the positions that are still there, before they go; inside a
    /// transaction.
    func noteDelivered(_ ids: [EntryID]) throws(DatabaseError) {
        let positions = ids.filter { $0.stream == .location }.map(\.number).sorted(by: >)
        for number in positions {
            let sql = "SELECT latitude, longitude FROM location WHERE id = ?1"
            let found = try database.first(sql, .integer(number)) { row -> Coordinate? in
                guard let latitude = row.real(0), let longitude = row.real(1) else { return nil }
                return Coordinate(latitude: latitude, longitude: longitude)
            }
            guard let coordinate = found else { continue }
            return try meta.noteDelivery(LastDelivery(number: number, coordinate: coordinate))
        }
    }
}
