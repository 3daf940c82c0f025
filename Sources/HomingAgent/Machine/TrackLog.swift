public import HomingBase
public import HomingLocation
public import HomingSQLite

/// The accepted positions of the last weeks, for `homing track`: a log of this machine's own that
/// no delivery touches.
///
/// Points are written together, every few minutes, which is what an SD card feels; a power cut
/// costs those minutes of the log and nothing else. The oldest go when it is full. A file that is
/// damaged is set aside like the outbox's, and a new one begun.
public final class TrackLog {
    private static let migrations = Migrations(
        applicationID: 0x486F_6D74,  // "Homt"
        steps: [
            """
            CREATE TABLE point (
                time REAL, latitude REAL, longitude REAL, accuracy REAL, altitude REAL, speed REAL,
                course REAL
            );
            CREATE INDEX point_time ON point (time);
            """,
            // `TimeSource`; NULL is the receiver's.
            "ALTER TABLE point ADD COLUMN time_source INTEGER;",
            // `PositionSource`; NULL is gpsd.
            "ALTER TABLE point ADD COLUMN source INTEGER;",
        ])

    private let database: Database
    private let maxPoints: Int
    private var unwritten: [Fix] = []

    /// Points written together at the latest.
    private static let batch = 512
    /// Bytes of SQLite's log after which they go to the table.
    private static let logSize = 4 << 20

    /// Opens `track.db` in the folder, or begins one.
    ///
    /// - Parameters:
    ///   - maxPoints: the bound; a point takes about 90 bytes.
    ///   - time: seconds since 1970, for the name of a damaged file that is set aside.
    public init(
        directory: String, maxPoints: Int = 400_000, at time: Seconds
    ) throws(DatabaseError) {
        self.maxPoints = maxPoints
        let path = "\(directory)/track.db"
        do throws(DatabaseError) {
            database = try Self.open(path)
        } catch {
            guard error.kind == .damaged else { throw error }
            _ = try DamagedFile.setAside(path, at: time)
            database = try Self.open(path)
        }
    }

    private static func open(_ path: String) throws(DatabaseError) -> Database {
        let database = try Database(path)
        try migrations.check(database)
        // Small pages are less to write. An earlier file keeps its own.
        try database.execute(
            """
            PRAGMA page_size = 1024;
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = NORMAL;
            PRAGMA trusted_schema = OFF;
            PRAGMA cache_size = -64;
            PRAGMA journal_size_limit = 262144;
            """)
        let pageSize = Int(try database.integer("PRAGMA page_size") ?? 1024)
        try database.execute("PRAGMA wal_autocheckpoint = \(logSize / max(512, pageSize))")
        try migrations.apply(to: database)
        try migrations.verify(database)
        return database
    }

    /// Keeps a point; on disk with the next `write()`.
    public func append(_ point: Fix) throws(DatabaseError) {
        unwritten.append(point)
        if unwritten.count >= Self.batch { try write() }
    }

    /// Writes what was appended. What cannot be written is kept for the next time, bounded.
    public func write() throws(DatabaseError) {
        guard !unwritten.isEmpty else { return }
        do throws(DatabaseError) {
            try database.transaction { () throws(DatabaseError) in
                for point in unwritten { try insert(point) }
                try evict()
            }
            unwritten = []
        } catch {
            unwritten.removeFirst(max(0, unwritten.count - Self.batch))
            throw error
        }
    }

    private func insert(_ point: Fix) throws(DatabaseError) {
        try database.run(
            "INSERT INTO point VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", .real(point.time),
            .real(point.coordinate.latitude), .real(point.coordinate.longitude),
            .real(point.accuracy), SQLValue(point.altitude), SQLValue(point.speed),
            SQLValue(point.course),
            point.timeSource == .receiver ? .null : .integer(Int64(point.timeSource.rawValue)),
            point.source == .gpsd ? .null : .integer(Int64(point.source.rawValue)))
    }

    /// 1 % more than needed goes, so that it happens seldom.
    private func evict() throws(DatabaseError) {
        let count = try database.integer("SELECT count(*) FROM point") ?? 0
        guard count > maxPoints else { return }
        try database.run(
            "DELETE FROM point WHERE rowid IN (SELECT rowid FROM point ORDER BY rowid LIMIT ?1)",
            .integer(count - Int64(maxPoints) + Int64(maxPoints / 100)))
    }

    /// The points from one time up to another (seconds since 1970), in order of time; damaged ones
    /// are passed over. At most `limit` of them, from the place where the page before ended.
    ///
    /// - Returns: the points, and where the next page begins; `nil` after the last.
    public func page(
        from start: Seconds, to end: Seconds, after cursor: TrackCursor?, limit: Int
    ) throws(DatabaseError) -> (points: [Fix], next: TrackCursor?) {
        try write()
        var points: [Fix] = []
        var last = cursor ?? TrackCursor(time: -.infinity, row: 0)
        var rows = 0
        try database.eachRow(
            """
            SELECT *, rowid FROM point WHERE time >= ?1 AND time <= ?2
            AND (time, rowid) > (?3, ?4) ORDER BY time, rowid LIMIT ?5
            """,
            [
                .real(start), .real(end), .real(last.time), .integer(last.row),
                .integer(Int64(limit)),
            ]
        ) { row in
            rows += 1
            last = TrackCursor(time: row.real(0) ?? last.time, row: row.integer(9) ?? last.row)
            if let point = Self.point(row) { points.append(point) }
            return true
        }
        return (points, rows == limit ? last : nil)
    }

    private static func point(_ row: Statement) -> Fix? {
        guard let time = row.real(0), let latitude = row.real(1), let longitude = row.real(2),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude),
            let accuracy = row.real(3)
        else { return nil }
        return Fix(
            coordinate: coordinate, accuracy: accuracy, time: time,
            timeSource: row.integer(7).flatMap { TimeSource(rawValue: Int($0)) } ?? .receiver,
            altitude: row.real(4), speed: row.real(5), course: row.real(6),
            source: row.integer(8).flatMap { PositionSource(rawValue: Int($0)) } ?? .gpsd)
    }

    /// Writes and closes; every later call fails.
    public func close() throws(DatabaseError) {
        try write()
        database.close()
    }
}
