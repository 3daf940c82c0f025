public import HomingBase

/// An operation of the courier on the queue.
public enum StoreEffect: Equatable, Sendable {
    /// Read the oldest live rows, and the place last delivered.
    case recall(limit: Int)
    /// Read rows: live ones (without a number only whether there are any), events and sensors after
    /// these numbers, and the oldest track rows.
    case load(liveAfter: Int64?, eventsAfter: Int64, sensorsAfter: Int64, trackLimit: Int)
    case settle([EntryID], Fate)
    case moveToHistory(acceptedBefore: Seconds, keepingNewest: Bool)
    /// Make history of the live positions up to this number.
    case makeHistory(through: Int64)
    case supersedeOlderPositions
    /// Settle the rows that have expired.
    case expire

    /// The fate of rows that the queue drops in this operation; `nil` if it drops none.
    public var fateOfDroppedRows: Fate? {
        switch self {
        case .load: .lostWithDatabase
        case .supersedeOlderPositions: .superseded
        case .expire: .expired
        case .recall, .settle, .moveToHistory, .makeHistory: nil
        }
    }
}
