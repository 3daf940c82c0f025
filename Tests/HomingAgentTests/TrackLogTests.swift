import HomingAgent
import HomingBase
import HomingLocation
import HomingSQLite
import HomingTestKit
import Testing

@Suite struct TrackLogTests {
    private func point(
        _ time: Seconds, timeSource: TimeSource = .receiver, altitude: Double? = nil,
        source: PositionSource = .gpsd
    ) throws -> Fix {
        let coordinate = try #require(Coordinate(latitude: 52, longitude: 4 + time / 1e6))
        return Fix(
            coordinate: coordinate, accuracy: 5, time: time, timeSource: timeSource,
            altitude: altitude,
            source: source)
    }

    @Test("What was kept comes back in order of time, within the span asked for")
    func span() throws {
        let folder = try TemporaryFolder()
        let log = try TrackLog(directory: folder.path, at: 0)
        for time in [30.0, 10, 20, 40] { try log.append(try point(time, altitude: time)) }
        #expect(try log.points(from: 15, to: 30).map(\.time) == [20, 30])
        #expect(try log.points(from: 20, to: 20) == [try point(20, altitude: 20)])
        try log.close()
    }

    @Test("Page by page every point comes once, also those of one moment")
    func pages() throws {
        let folder = try TemporaryFolder()
        let log = try TrackLog(directory: folder.path, at: 0)
        for time in [5.0, 1, 3, 3, 3, 2, 9, 3] { try log.append(try point(time)) }
        for limit in 1...9 {
            var (times, cursor, pages): ([Seconds], TrackCursor?, Int) = ([], nil, 0)
            repeat {
                let page = try log.page(from: 2, to: 5, after: cursor, limit: limit)
                #expect(page.points.count <= limit)
                times += page.points.map(\.time)
                cursor = page.next
                pages += 1
            } while cursor != nil && pages < 20
            #expect(times == [2, 3, 3, 3, 3, 5], "pages of \(limit)")
        }
    }

    @Test("A new file has small pages, and an earlier file keeps its own", arguments: [nil, 4096])
    func pageSize(earlier: Int?) throws {
        let folder = try TemporaryFolder()
        if let earlier {
            let database = try Database(folder.file("track.db"))
            try database.execute("PRAGMA page_size = \(earlier)")
            try database.execute("PRAGMA application_id = \(0x486F_6D74)")
            database.close()
        }
        let log = try TrackLog(directory: folder.path, at: 0)
        for time in 0..<200 { try log.append(try point(Seconds(time))) }
        try log.close()
        let database = try Database(folder.file("track.db"), readOnly: true)
        #expect(try database.integer("PRAGMA page_size") == Int64(earlier ?? 1024))
        #expect(try database.integer("SELECT count(*) FROM point") == 200)
    }

    @Test("Who told the time, and the source, are kept with each point")
    func sources() throws {
        let folder = try TemporaryFolder()
        let log = try TrackLog(directory: folder.path, at: 0)
        let pairs = TimeSource.allCases.flatMap { time in
            PositionSource.allCases.map { (time, $0) }
        }
        for (number, pair) in pairs.enumerated() {
            try log.append(try point(Seconds(number), timeSource: pair.0, source: pair.1))
        }
        let kept = try log.points(from: 0, to: 99)
        #expect(kept.map(\.timeSource) == pairs.map(\.0))
        #expect(kept.map(\.source) == pairs.map(\.1))
    }

    @Test(
        "The points of an earlier version are read, page by page, and new points come beside them")
    func earlierVersion() throws {
        let folder = try TemporaryFolder()
        let database = try Database("\(folder.path)/track.db")
        try database.execute(
            """
            CREATE TABLE point (
                time REAL, latitude REAL, longitude REAL, accuracy REAL, altitude REAL, speed REAL,
                course REAL
            );
            CREATE INDEX point_time ON point (time);
            ALTER TABLE point ADD COLUMN time_source INTEGER;
            INSERT INTO point VALUES (1, 52, 4, 5, NULL, NULL, NULL, NULL);
            INSERT INTO point VALUES (1, 52, 4, 5, NULL, NULL, NULL, 2);
            PRAGMA application_id = 0x486F6D74;
            PRAGMA user_version = 2;
            """)
        database.close()
        let log = try TrackLog(directory: folder.path, at: 0)
        try log.append(try point(2, source: .place))
        var (points, cursor): ([Fix], TrackCursor?) = ([], nil)
        repeat {
            let page = try log.page(from: 0, to: 9, after: cursor, limit: 1)
            points += page.points
            cursor = page.next
        } while cursor != nil
        #expect(points.map(\.source) == [.gpsd, .gpsd, .place])
        #expect(points.map(\.timeSource) == [.receiver, .arrival, .receiver])
        #expect(folder.names().allSatisfy { !$0.contains("damaged") })
    }

    @Test("It survives the end of the daemon")
    func reopened() throws {
        let folder = try TemporaryFolder()
        let log = try TrackLog(directory: folder.path, at: 0)
        try log.append(try point(1))
        try log.close()
        let again = try TrackLog(directory: folder.path, at: 0)
        #expect(try again.points(from: 0, to: 9).map(\.time) == [1])
    }

    @Test("When it is full the oldest go")
    func bound() throws {
        let folder = try TemporaryFolder()
        let log = try TrackLog(directory: folder.path, maxPoints: 1000, at: 0)
        for time in 0..<3000 { try log.append(try point(Double(time))) }
        let kept = try log.points(from: 0, to: 1e9).map(\.time)
        #expect(kept.count <= 1000 && kept.count >= 900)
        #expect(kept.last == 2999)
        #expect(kept == kept.sorted())
    }

    @Test("A file that is no database is set aside, and a new one begun")
    func damaged() throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "no database ", count: 100), to: "track.db")
        let log = try TrackLog(directory: folder.path, at: 77)
        try log.append(try point(5))
        #expect(try log.points(from: 0, to: 9).map(\.time) == [5])
        #expect(folder.names().contains("track.db.damaged-77"))
    }

    @Test("Appending costs no write until many have come together")
    func batches() throws {
        let folder = try TemporaryFolder()
        let log = try TrackLog(directory: folder.path, at: 0)
        try log.append(try point(1))
        let other = try TrackLog(directory: folder.path, at: 0)
        #expect(try other.points(from: 0, to: 9).isEmpty)
        try log.write()
        #expect(try other.points(from: 0, to: 9).count == 1)
    }
}

extension TrackLog {
    /// All points of a span.
    fileprivate func points(from start: Seconds, to end: Seconds) throws -> [Fix] {
        try page(from: start, to: end, after: nil, limit: .max).points
    }
}
