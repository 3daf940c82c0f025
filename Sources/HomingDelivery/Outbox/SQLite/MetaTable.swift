internal import HomingSQLite

/// Single values that live with the rows and change in their transactions.
struct MetaTable {
    enum Name: String {
        /// 128 random bits in hexadecimal, made with the file.
        case databaseID = "database_id"
        /// The last position that is history.
        case trackThrough = "track_through"
        /// The last position reported for the map, and its place (NULL for a zone).
        case deliveredNumber = "delivered_number"
        case deliveredLatitude = "delivered_latitude"
        case deliveredLongitude = "delivered_longitude"
        /// Number of the next spill in the memory tier, and of the last that was completed. See
        /// `SpillingOutbox`.
        case spillNumber = "spill_number"
        case completedSpill = "completed_spill"
        /// On the disk: the last spill taken, by the tier's id and its number, and what it brought.
        case takenTier = "taken_tier"
        case takenNumber = "taken_number"
        case takenLocation = "taken_location"
        case takenSensors = "taken_sensors"
        case takenEvents = "taken_events"
        /// With `durability = grouped`: the start of the machine in which the file is in use; NULL
        /// after a clean end.
        case openBoot = "open_boot"
        /// Numbers up to this one are not given again if the log of groups is lost; NULL while there is no
        /// log.
        case heldNumber = "held_number"
        /// The queue that was damaged and in whose place this one came, and the last number in its tables.
        case formerID = "former_id"
        case formerNumber = "former_number"
        /// The queue whose journal was taken over though it is not this one.
        case takenJournal = "taken_journal"
        /// Number of power cuts that were noticed. The next keys are about the last cut: when
        /// numbers had been reserved, and when the cut was noticed. The last key is the number of
        /// locations that the cut took at most.
        case powerCuts = "power_cuts"
        case powerCutAfter = "power_cut_after"
        case powerCutNoticed = "power_cut_noticed"
        case powerCutLost = "power_cut_lost"
    }

    let database: Database

    func integer(_ name: Name) throws(DatabaseError) -> Int64? {
        try value(name) { $0.integer(0) }
    }

    func real(_ name: Name) throws(DatabaseError) -> Double? {
        try value(name) { $0.real(0) }
    }

    func text(_ name: Name) throws(DatabaseError) -> String? {
        try value(name) { $0.text(0) }
    }

    func set(_ name: Name, _ value: SQLValue) throws(DatabaseError) {
        try database.run("REPLACE INTO meta VALUES (?1, ?2)", .text(name.rawValue), value)
    }

    /// Makes the marks agree with the last number given to a position; returns whether one had to
    /// be corrected. A mark that could be anything must not lie ahead: what comes to be accepted
    /// would be history at once, or never count as delivered.
    func reconcile(last: Int64) throws(DatabaseError) -> Bool {
        let known = 0...last
        let isTrackSound = known.contains(try integer(.trackThrough) ?? 0)
        if !isTrackSound { try set(.trackThrough, .integer(last)) }
        let isDeliverySound = known.contains(try integer(.deliveredNumber) ?? 0)
        if !isDeliverySound { try replaceDelivery(LastDelivery(number: 0, coordinate: nil)) }
        return !isTrackSound || !isDeliverySound
    }

    private func value<T>(_ name: Name, _ read: (Statement) -> T?) throws(DatabaseError) -> T? {
        let sql = "SELECT value FROM meta WHERE name = ?1"
        return try database.first(sql, .text(name.rawValue), read: read) ?? nil
    }
}
