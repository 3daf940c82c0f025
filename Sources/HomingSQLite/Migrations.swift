/// The ways from each schema a file may have to the present one.
///
/// `PRAGMA application_id` tells whose file it is, `PRAGMA user_version` how many steps were made
/// (https://www.sqlite.org/pragma.html). A released step never changes; a new schema is a new step.
public struct Migrations: Sendable {
    /// Four bytes in the file's header, which file(1) can show.
    private let applicationID: Int32
    /// SQL scripts, oldest first.
    private let steps: [String]

    public init(applicationID: Int32, steps: [String]) {
        self.applicationID = applicationID
        self.steps = steps
    }

    /// Brings the file to the present schema, each step in a transaction of its own.
    ///
    /// Throws `.damaged` for a file that is someone else's, `.newerSchema` for one that was made by
    /// a newer Homing; neither is touched.
    public func apply(to database: Database) throws(DatabaseError) {
        let version = try version(of: database)
        for step in version..<steps.count {
            try database.transaction { () throws(DatabaseError) in
                try database.execute(steps[step])
                try database.execute("PRAGMA application_id = \(applicationID)")
                try database.execute("PRAGMA user_version = \(step + 1)")
            }
        }
    }

    /// Throws what `apply` would, and writes nothing.
    public func check(_ database: Database) throws(DatabaseError) { _ = try version(of: database) }

    /// Throws `.damaged` unless the schema is, to the letter, the one the steps make.
    ///
    /// A letter may turn a column into another thing without SQLite finding fault with it.
    public func verify(_ database: Database) throws(DatabaseError) {
        let pattern = try Database(":memory:")
        try apply(to: pattern)
        guard try schema(of: database) == schema(of: pattern) else {
            throw DatabaseError(.damaged, "\(database.path): the schema is damaged")
        }
    }

    private func schema(of database: Database) throws(DatabaseError) -> [[String?]] {
        var objects: [[String?]] = []
        try database.eachRow("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name") {
            objects.append([$0.text(0), $0.text(1), $0.text(2), $0.text(3)])
            return true
        }
        return objects
    }

    private func version(of database: Database) throws(DatabaseError) -> Int {
        let owner = try database.integer("PRAGMA application_id") ?? 0
        let version = try database.integer("PRAGMA user_version") ?? 0
        let objects = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        let isNew = owner == 0 && version == 0 && objects == 0
        guard isNew || owner == Int64(applicationID), version >= 0 else {
            throw DatabaseError(.damaged, "\(database.path): not a database of Homing's")
        }
        guard version <= steps.count else {
            throw DatabaseError(
                .newerSchema,
                "\(database.path): made by a newer Homing (schema \(version), known \(steps.count))"
            )
        }
        return Int(version)
    }
}
