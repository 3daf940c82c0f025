public import HomingBase
public import HomingSQLite

/// The result of a `StoreEffect`.
public enum StoreResult: Equatable, Sendable {
    /// Event for the courier.
    case read(Courier.Event)
    /// Number of locations that became history.
    case moved(Int)
    case done
}

extension OutboxStore {
    /// Performs an operation of the courier.
    ///
    /// - Parameters:
    ///   - queueTTL: seconds that a row may wait; `nil` forever.
    ///   - rowsAtOnce: rows of each stream that are read at one time.
    public func performStoreEffect(
        _ effect: StoreEffect, queueTTL: Seconds? = nil, rowsAtOnce: Int, at now: Moment
    ) throws(DatabaseError) -> StoreResult {
        switch effect {
        case .recall(let limit):
            let live = try entries(.location, freshness: .live, after: 0, limit: limit)
            return .read(.recalled(live: live, lastDelivered: try lastDelivered()))
        case .load(let liveAfter, let eventsAfter, let sensorsAfter, let trackLimit):
            var rows = OutboxRows(
                events: try entries(
                    .events, freshness: .live, after: eventsAfter, limit: rowsAtOnce),
                track: try entries(.location, freshness: .history, after: 0, limit: trackLimit),
                sensors: try entries(
                    .sensors, freshness: .live, after: sensorsAfter, limit: rowsAtOnce))
            if let liveAfter {
                rows.live = try entries(
                    .location, freshness: .live, after: liveAfter, limit: rowsAtOnce)
            } else {
                rows.liveWaits =
                    try !entries(.location, freshness: .live, after: 0, limit: 1).isEmpty
            }
            let counts = [rows.live.count, rows.events.count, rows.sensors.count]
            let isFull = !rows.track.isEmpty && rows.track.count >= trackLimit
            rows.mayBeMore = counts.contains(rowsAtOnce) || isFull
            return .read(.rows(rows))
        case .settle(let ids, let fate): try settle(ids, as: fate)
        case .moveToHistory(let cutoff, let keepingNewest):
            return .moved(try moveToHistory(acceptedBefore: cutoff, keepingNewest: keepingNewest))
        case .makeHistory(let number): return .moved(try moveToHistory(through: number))
        case .supersedeOlderPositions: try supersedeOlderPositions()
        case .expire:
            try expire(at: now.unixTime, acceptedBefore: queueTTL.map { now.unixTime - $0 })
        }
        return .done
    }
}
