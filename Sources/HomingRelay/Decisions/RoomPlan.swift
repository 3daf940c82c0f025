internal import HomingRelayProtocol

/// The messages that have to go from a mailbox so that a deposit may come.
///
/// Notices, at most a single notice of a kind, take no room, and no message gives way to them.
struct RoomPlan: Equatable {
    /// The messages that the deposit replaces, that have expired, and the oldest beyond the bounds.
    private(set) var deleted: [MessageID] = []
    /// Messages that the device loses by that, with those that deleted notices told of.
    private(set) var losses = 0

    /// - Parameters:
    ///   - rows: what the mailbox holds, the oldest first.
    ///   - messages: how many may wait.
    ///   - limit: how many bytes may wait.
    init(
        for deposit: Deposit, among rows: [WaitingRow], messages: Int, bytes limit: Int,
        at now: Int64
    ) {
        let kind = WaitingRow.Kind(deposit)
        var kept: [WaitingRow] = []
        for row in rows {
            let isReplaced =
                kind.isNotice ? row.kind == kind : row.tag != nil && row.tag == deposit.tag
            if isReplaced {
                deleted.append(row.id)
                losses += row.tells
            } else if row.expires <= now {
                delete(row)
            } else if !row.kind.isNotice {
                kept.append(row)
            }
        }
        guard !kind.isNotice else { return }
        var bytes = kept.reduce(deposit.parcel.count) { $0 + $1.size }
        var count = kept.count + 1
        for row in kept where count > messages || bytes > limit {
            delete(row)
            count -= 1
            bytes -= row.size
        }
    }

    private mutating func delete(_ row: WaitingRow) {
        deleted.append(row.id)
        losses += row.losses
    }
}
