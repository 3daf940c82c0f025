/// Reason why a database could not do what it was asked.
public struct DatabaseError: Error, Equatable, Sendable {
    /// Kind of error, by what a caller may do about it.
    public enum Kind: Equatable, Sendable {
        /// Lack of room on the disk.
        case full
        /// File that cannot be written to: rights, a read-only file system.
        case readOnly
        /// The file is no database, or a damaged one.
        case damaged
        /// Made by a newer version of the program.
        case newerSchema
        /// Anything else, an I/O error above all.
        case failed
    }

    public let kind: Kind
    /// Words of the system or of SQLite, for people.
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
