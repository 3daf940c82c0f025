import HomingTestKit
import Testing

@testable import HomingSQLite

@Suite("The SQLite wrapper")
struct DatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func database() throws -> Database {
        let database = try Database(folder.file("outbox.db"))
        try database.execute("CREATE TABLE IF NOT EXISTS t (a)")
        return database
    }

    @Test("rolls a transaction back when its body throws, and can begin another")
    func rollback() throws {
        let database = try database()
        let failure = try thrown(DatabaseError.self) {
            try database.transaction { () throws(DatabaseError) in
                try database.run("INSERT INTO t VALUES (?1)", .integer(1))
                throw DatabaseError(.failed, "mine")
            }
        }
        #expect(failure?.message == "mine")
        #expect(try database.integer("SELECT count(*) FROM t") == 0)
        try database.transaction { () throws(DatabaseError) in
            _ = try database.run("INSERT INTO t VALUES (?1)", .text(""))
        }
        #expect(try database.first("SELECT a FROM t") { $0.text(0) } == "")
    }

    @Test("resets a statement that failed or was left early")
    func reset() throws {
        let database = try database()
        try database.execute("CREATE UNIQUE INDEX i ON t (a); INSERT INTO t VALUES (1), (2)")
        #expect(throws: DatabaseError.self) {
            try database.run("INSERT INTO t VALUES (?1)", .integer(1))
        }
        try database.run("INSERT INTO t VALUES (?1)", .integer(3))
        #expect(try database.integer("SELECT a FROM t ORDER BY a") == 1)
        #expect(try database.integer("SELECT a FROM t ORDER BY a") == 1)
        #expect(try database.integer("SELECT max(a) FROM t WHERE a > ?1", .integer(9)) == nil)
        try database.execute("DROP TABLE t")
    }

    @Test("gives bytes back as they were bound, also none at all and those of no text")
    func bytes() throws {
        let database = try database()
        for bytes in [[], [0], [0xFF, 0, 0xC3], Array(repeating: 7, count: 70_000)] as [[UInt8]] {
            try database.run("DELETE FROM t")
            try database.run("INSERT INTO t VALUES (?1)", .bytes(bytes))
            #expect(try database.first("SELECT a FROM t") { $0.bytes(0) } == bytes)
            #expect(try database.integer("SELECT length(a) FROM t") == Int64(bytes.count))
            #expect(try database.first("SELECT a FROM t") { $0.text(0) } == .some(nil))
        }
        try database.run("UPDATE t SET a = 'text'")
        #expect(try database.first("SELECT a FROM t") { $0.bytes(0) } == .some(nil))
    }

    @Test("names the kind of an error and the file")
    func kinds() throws {
        let missing = try thrown(DatabaseError.self) {
            try Database(folder.file("absent/outbox.db"))
        }
        #expect(missing?.kind == .readOnly)
        #expect(missing?.message.hasPrefix(folder.file("absent/outbox.db:")) == true)
        let database = try database()
        let unknown = try thrown(DatabaseError.self) { try database.run("SELECT b FROM t") }
        #expect(unknown?.kind == .damaged)
        database.close()
        let closed = try thrown(DatabaseError.self) { try database.run("SELECT 1") }
        #expect(closed?.kind == .failed)
    }

    @Test("makes each step of the schema once, in order, or not at all")
    func migrations() throws {
        let database = try Database(folder.file("outbox.db"))
        let step = "CREATE TABLE one (a)"
        let first = Migrations(applicationID: 5, steps: [step])
        try first.apply(to: database)
        try first.apply(to: database)
        let broken = Migrations(
            applicationID: 5, steps: [step, "CREATE TABLE two (a); CREATE TABLE one (a)"])
        #expect(throws: DatabaseError.self) { try broken.apply(to: database) }
        #expect(try database.integer("PRAGMA user_version") == 1)
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema") == 1)
        let second = Migrations(applicationID: 5, steps: [step, "CREATE TABLE two (a)"])
        try second.apply(to: database)
        #expect(try database.integer("PRAGMA user_version") == 2)
        let older = try thrown(DatabaseError.self) { try first.apply(to: database) }
        #expect(older?.kind == .newerSchema)
    }
}
