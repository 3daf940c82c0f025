internal import HomingBase
internal import HomingSQLite

/// The positions of the log that the tables have not.
struct SavedGroup {
    var entries: [OutboxEntry] = []
    /// The last number that the newest frame reserved; `nil` without such a frame.
    var reserved: Int64?
    /// Seconds since 1970 at which the newest frame was written.
    var time: Seconds?
    /// Whether no frame is missing.
    var isWhole = false
    /// The positions of another queue, with its name.
    var foreign: (name: String, entries: [OutboxEntry])?

    /// - Parameters:
    ///   - databaseID: of the queue.
    ///   - last: the last number that the tables hold, or have counted.
    ///   - former: the queue whose place this queue has taken.
    init(
        _ contents: GroupLog.Contents?, of databaseID: String, after last: Int64,
        former: FormerQueue?
    ) {
        guard let contents else { return }
        guard contents.databaseID == GroupLog.name(of: databaseID) else {
            let isFormer = former.map { GroupLog.name(of: $0.databaseID) } == contents.databaseID
            let live = contents.live(after: isFormer ? former?.lastNumber ?? 0 : 0)
            if !live.isEmpty { foreign = (contents.databaseID, live.flatMap(\.rows)) }
            return
        }
        let live = contents.live(after: last)
        // A frame behind a damaged one shows that the damaged one is missing.
        isWhole =
            contents.isReadable
            && live.count == contents.frames.filter { $0.isLive(after: last) }.count
        entries = live.flatMap(\.rows)
        (reserved, time) = (live.last?.reserved, live.last?.time)
    }
}
