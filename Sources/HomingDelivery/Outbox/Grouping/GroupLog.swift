internal import HomingBase
internal import HomingSQLite

/// The positions of a group on the disk, while the queue has not taken the group yet (`durability = grouped`).
///
/// A frame holds the positions of some ten seconds. It costs one block of the disk, where the queue's tables and
/// their log cost several. Most positions are settled by a receipt before the queue has to take them, and then
/// never reach its tables.
final class GroupLog {
    /// Some positions, and how far numbers may have been given away.
    struct Frame: Equatable {
        /// The last number that may be given away before the next frame.
        var reserved: Int64
        /// Seconds since 1970 at which the frame was written.
        var time: Seconds
        var rows: [OutboxEntry]

        /// Whether the tables, whose last number this is, have neither taken nor counted the frame.
        func isLive(after last: Int64) -> Bool { (rows.last?.id.number ?? 0) > last }
    }

    /// The contents of a log from before.
    struct Contents {
        /// The id of the queue that the positions belong to.
        var databaseID: String
        /// Frames in their order, up to the first that is missing.
        var frames: [Frame]
        /// Frames of groups before, and those behind a frame that cannot be read.
        var others: [Frame]
        /// Whether the disk could read all of the log.
        var isReadable: Bool

        /// The frames that the tables, whose last number this is, do not know, in the order of their numbers.
        func live(after last: Int64) -> [Frame] {
            (frames + others).filter { $0.isLive(after: last) }
                .sorted { ($0.rows.first?.id.number ?? 0) < ($1.rows.first?.id.number ?? 0) }
        }
    }

    private let log: BlockLog

    /// Reads the file; `nil` where there is no such file, or another kind of file.
    static func read(_ path: String) throws(DatabaseError) -> Contents? {
        guard let contents = try BlockLog.read(path) else { return nil }
        let frames = contents.strings.map(Self.frame)
        let known = frames.prefix { $0 != nil }
        let others = frames.dropFirst(known.count) + contents.others.map(Self.frame)
        return Contents(
            databaseID: contents.owner, frames: known.compactMap(\.self),
            others: others.compactMap(\.self), isReadable: contents.isReadable)
    }

    /// The queue's id as a log names it.
    static func name(of databaseID: String) -> String { BlockLog.fitted(databaseID) }

    /// Removes the file. What cannot be removed counts for nothing: the tables have its positions.
    static func remove(_ path: String) { try? BlockLog.remove(path) }

    /// Makes an empty log in the place of any other. `read` comes first.
    init(_ path: String, databaseID: String) throws(DatabaseError) {
        log = try BlockLog(path, owner: databaseID)
    }

    /// Adds a frame. Returns false, and adds nothing, where the log has no room.
    func append(_ frame: Frame) throws(DatabaseError) -> Bool {
        try log.append(Self.bytes(of: frame))
    }

    /// Forgets all frames: the queue has their positions, or has counted them.
    func clear() { log.clear() }

    /// Overwrites all frames, as far as the disk can.
    func wipe() { try? log.wipe() }

    private static func bytes(of frame: Frame) -> [UInt8] {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: frame.reserved) { bytes += $0 }
        withUnsafeBytes(of: frame.time.bitPattern) { bytes += $0 }
        for row in frame.rows { bytes += GroupRecord.bytes(of: row) }
        return bytes
    }

    private static let headLength = 16

    /// `nil` for a string that is no frame.
    private static func frame(_ bytes: [UInt8]) -> Frame? {
        guard bytes.count >= headLength else { return nil }
        let (rows, isWhole) = GroupRecord.entries(in: bytes[headLength...])
        let head = bytes.withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self),
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
        guard isWhole, LedgerTable.plausible.contains(head.0) else { return nil }
        return Frame(reserved: head.0, time: Seconds(bitPattern: head.1), rows: rows)
    }
}
