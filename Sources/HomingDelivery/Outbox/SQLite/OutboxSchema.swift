internal import HomingSQLite

/// The tables of an outbox.
///
/// Each stream has a table of its own, so that no index is needed to read one in order, and the
/// numbers of rows come from `ledger.last_number` instead of AUTOINCREMENT: an append then changes
/// two pages, the row's and the ledger's, which is what an SD card feels. Sensors are tens of rows
/// and need no index either, and what is due is known without one (see `Due`). Row tables carry no
/// constraints: a damaged row costs itself, not the file (see `RowReader`). The ledger's CHECK is
/// the equation of the whole product; no transaction that breaks it can commit.
///
/// A position has no column for its freshness: everything up to `meta.track_through` is history. The
/// cut is one number because history always precedes news, and moving a thousand rows costs one
/// page.
enum OutboxSchema {
    /// "Homg".
    static let migrations = Migrations(applicationID: 0x486F_6D67, steps: [first, second])

    private static let first = """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE ledger (
            stream INTEGER PRIMARY KEY,
            accepted INTEGER NOT NULL DEFAULT 0,
            queued INTEGER NOT NULL DEFAULT 0,
            delivered_live INTEGER NOT NULL DEFAULT 0,
            delivered_track INTEGER NOT NULL DEFAULT 0,
            superseded INTEGER NOT NULL DEFAULT 0,
            expired INTEGER NOT NULL DEFAULT 0,
            evicted INTEGER NOT NULL DEFAULT 0,
            rejected INTEGER NOT NULL DEFAULT 0,
            lost_with_database INTEGER NOT NULL DEFAULT 0,
            last_number INTEGER NOT NULL DEFAULT 0,
            CHECK (accepted = queued + delivered_live + delivered_track + superseded + expired
                + evicted + rejected + lost_with_database)
        );
        INSERT INTO ledger (stream) VALUES (1), (2), (3);
        CREATE TABLE location (
            id INTEGER PRIMARY KEY, accepted_at REAL, expires_at REAL,
            time REAL, latitude REAL, longitude REAL, accuracy REAL, mode INTEGER,
            altitude REAL, vertical_accuracy REAL, speed REAL, course REAL,
            source INTEGER, battery REAL, zone TEXT
        );
        CREATE TABLE sensor (
            id INTEGER PRIMARY KEY, accepted_at REAL, expires_at REAL, unique_id TEXT, item TEXT
        );
        CREATE TABLE event (
            id INTEGER PRIMARY KEY, accepted_at REAL, expires_at REAL, type TEXT, data TEXT
        );
        """

    /// A fate for what a power cut took, and the numbers that it may have taken. What the new CHECK
    /// refuses is left to `LedgerTable.reconcile`.
    private static let second = """
        CREATE TABLE former AS SELECT * FROM ledger;
        DROP TABLE ledger;
        CREATE TABLE ledger (
            stream INTEGER PRIMARY KEY,
            accepted INTEGER NOT NULL DEFAULT 0,
            queued INTEGER NOT NULL DEFAULT 0,
            delivered_live INTEGER NOT NULL DEFAULT 0,
            delivered_track INTEGER NOT NULL DEFAULT 0,
            superseded INTEGER NOT NULL DEFAULT 0,
            expired INTEGER NOT NULL DEFAULT 0,
            evicted INTEGER NOT NULL DEFAULT 0,
            rejected INTEGER NOT NULL DEFAULT 0,
            lost_with_database INTEGER NOT NULL DEFAULT 0,
            lost_in_power_cut INTEGER NOT NULL DEFAULT 0,
            last_number INTEGER NOT NULL DEFAULT 0,
            reserved INTEGER NOT NULL DEFAULT 0,
            reserved_at REAL,
            CHECK (accepted = queued + delivered_live + delivered_track + superseded + expired
                + evicted + rejected + lost_with_database + lost_in_power_cut)
        );
        INSERT OR IGNORE INTO ledger (stream, accepted, queued, delivered_live, delivered_track,
            superseded, expired, evicted, rejected, lost_with_database, last_number)
            SELECT * FROM former;
        INSERT OR IGNORE INTO ledger (stream, last_number) SELECT stream, last_number FROM former;
        DROP TABLE former;
        """

    fileprivate static let locationInsertion = """
        INSERT INTO location
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
        """
}

extension Stream {
    /// The table that holds the stream.
    var table: String {
        switch self {
        case .location: "location"
        case .sensors: "sensor"
        case .events: "event"
        }
    }

    /// Takes `OutboxRow.values`.
    var insertion: String {
        switch self {
        case .location: OutboxSchema.locationInsertion
        case .sensors: "INSERT INTO sensor VALUES (?1, ?2, ?3, ?4, ?5)"
        case .events: "INSERT INTO event VALUES (?1, ?2, ?3, ?4, ?5)"
        }
    }

    /// Gives what `OutboxRow.entry` reads: rows with numbers above ?1 and up to ?2, in order, and
    /// behind their columns whether what should be JSON is.
    var selection: String {
        switch self {
        case .location: "SELECT * FROM location WHERE id > ?1 AND id <= ?2 ORDER BY id"
        case .sensors:
            "SELECT *, json_valid(item) FROM sensor WHERE id > ?1 AND id <= ?2 ORDER BY id"
        case .events:
            "SELECT *, json_valid(data) FROM event WHERE id > ?1 AND id <= ?2 ORDER BY id"
        }
    }
}
