public import HomingBase
public import HomingSQLite

/// An outbox in files.
///
/// Not `Sendable`: it belongs to the loop. Positions, sensors and events that were accepted are
/// there again after `kill -9`; after a power cut too, as far as the durability promises.
public protocol PersistentOutbox: OutboxStore {
    /// 32 hexadecimal digits, made with the file on disk; another id is another history.
    var databaseID: String { get }

    /// Brings rows accepted before `time` (seconds since 1970), and all before them, to the disk.
    /// Does nothing where they are there from the start.
    func spill(acceptedBefore time: Seconds) throws(DatabaseError)

    /// Brings every row and the whole book to the disk, as before the machine goes down.
    func spillAll() throws(DatabaseError)

    /// Checkpoints and lets the files go. Every later call throws `.failed`.
    func close()
}
