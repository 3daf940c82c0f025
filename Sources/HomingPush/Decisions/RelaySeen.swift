public import HomingRelayProtocol

/// The ids of messages that the relay brought, by which a message that comes again is known.
///
/// The ids of a relay rise. Of more than `capacity` the smallest are forgotten, and no message up to
/// the last forgotten one is taken any more: nobody could tell whether it had come.
public struct RelaySeen: Equatable, Sendable {
    /// The sense of an id for its message.
    public enum Verdict: Equatable, Sendable {
        case new
        /// The message came before: an acknowledgement was lost.
        case known
        /// The message is older than all that are remembered.
        case replayed
    }

    /// Ids that are remembered: ten times those that a mailbox holds by default.
    public static let capacity = 2048

    /// Ids in their order.
    public private(set) var ids: [MessageID] = []
    /// The largest id that was forgotten.
    public private(set) var floor: MessageID?

    public init() {}

    /// The ids that were kept; those that are too many are forgotten.
    ///
    /// - Parameters:
    ///   - ids: in any order.
    ///   - floor: the largest id that was forgotten.
    public init(ids: [MessageID], floor: MessageID?) {
        self.floor = floor
        for id in ids { _ = judge(id) }
    }

    /// Whether the message of this id is new; from now on it is known.
    public mutating func judge(_ id: MessageID) -> Verdict {
        if let floor, id <= floor { return .replayed }
        let place = place(of: id)
        if place < ids.count, ids[place] == id { return .known }
        remember(id, at: place)
        return .new
    }

    /// Puts the id in its place. Where all places are taken, the smallest id goes before, as an array that
    /// is too small for a moment doubles for good.
    private mutating func remember(_ id: MessageID, at place: Int) {
        if ids.isEmpty { ids.reserveCapacity(Self.capacity) }
        guard ids.count == Self.capacity else { return ids.insert(id, at: place) }
        guard place > 0 else {
            floor = id
            return
        }
        floor = ids.removeFirst()
        ids.insert(id, at: place - 1)
    }

    /// The index of the first id that is not smaller.
    private func place(of id: MessageID) -> Int {
        var (low, high) = (0, ids.count)
        // Nearly always it is the largest.
        if let last = ids.last, last < id { return high }
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
