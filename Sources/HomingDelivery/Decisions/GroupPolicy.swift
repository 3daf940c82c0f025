public import HomingBase

/// Decides when positions that wait in memory are written to the disk (`durability = grouped`).
///
/// A position may wait while it has been handed to a connection that gave a receipt lately, and was
/// answered within a second; any other position is written at once. Groups end at times that are
/// the same for all homes, so that the disk is woken once for all.
public struct GroupPolicy: Sendable {
    public enum Event: Equatable, Sendable {
        /// A position was taken into the queue.
        case accepted
        /// The position was handed to a connection.
        ///
        /// - `isTrusted`: whether that connection gave a receipt lately.
        case handed(isTrusted: Bool)
        /// The position was answered.
        case answered
        /// Something failed, somebody waits for the position, or the machine goes to sleep.
        case mustBeWritten
        /// The disk could not be written.
        case notWritten
        /// All has been done that follows from the last event. An urgent position does not wait.
        case done(urgent: Bool)
        /// The time of `Decision.wakeAt` has come.
        case wake
    }

    /// Destination of the locations that wait.
    public enum Write: Equatable, Sendable {
        /// To the log of groups: a receipt is likely to settle them soon.
        case save
        /// To the tables of the queue.
        case commit
    }

    /// Decision of the policy: what to reserve, what to write, and when to wake.
    public struct Decision: Equatable, Sendable {
        /// Positions that may come before the next write; 0 if each is to be committed by itself.
        public var reserve: Int
        public var write: Write?
        /// Uptime of the next `wake`.
        public var wakeAt: Seconds?
    }

    /// Seconds that a position may wait at most.
    static let longestWait: Seconds = 10
    /// Seconds within which an answer must come.
    static let longestAnswer: Seconds = 1
    /// Seconds before the end of a group at which the next position ends the group, and no timer must.
    static let earlyEnd: Seconds = 1
    static let sizes = 16...512

    /// Uptime at which the oldest position of the group was accepted.
    private var oldest: Seconds?
    /// Uptime at which the last position was accepted, in a group or by itself.
    private var newest: Seconds?
    /// Whether the position before the last was not long ago.
    private var isFlow = false
    /// Positions of the group.
    private var count = 0
    /// Uptime at which a position was handed over that is not answered yet.
    private var handedAt: Seconds?
    /// Whether the last position of the group has not been handed over.
    private var isHeld = false
    /// Whether the last write succeeded.
    private var isWritten = true
    /// Positions that may wait; 0 while each is written by itself.
    private var reserve = 0

    public init() {}

    /// Takes an event and says what to do.
    public mutating func handle(_ event: Event, at now: Moment) -> Decision {
        let now = now.uptime
        switch event {
        case .accepted:
            isFlow = newest.map { now - $0 <= Self.longestWait } ?? false
            newest = now
            guard reserve > 0 else { break }
            oldest = oldest ?? now
            count += 1
            isHeld = true
        case .handed(isTrusted: false), .mustBeWritten: return endFlow()
        case .notWritten:
            isWritten = false
            oldest = now
        case .handed(isTrusted: true):
            isHeld = false
            handedAt = now
        case .answered:
            // One that was answered in time shows that the next ones may wait.
            if handedAt != nil, isFlow { reserve = max(reserve, Self.sizes.lowerBound) }
            handedAt = nil
        case .done(let urgent):
            if isHeld || urgent { return endFlow() }
            if let groupEnd, now >= groupEnd - Self.earlyEnd { return endGroup() }
        case .wake:
            if let handedAt, now >= handedAt + Self.longestAnswer { return endFlow() }
            if let flowEnd, now >= flowEnd { return endFlow() }
            if let groupEnd, now >= groupEnd { return reserve > 0 ? endGroup() : endFlow() }
        }
        return decision(nil)
    }

    /// Uptime at which the group has to be on the disk.
    private var groupEnd: Seconds? {
        let period = Self.longestWait - Self.earlyEnd
        return oldest.map { ((($0 + Self.earlyEnd) / period).rounded(.down) + 1) * period }
    }

    /// Uptime from which the positions are no flow any more.
    private var flowEnd: Seconds? { reserve > 0 ? newest.map { $0 + Self.longestWait } : nil }

    /// Every position by itself, until one is answered in time.
    private mutating func endFlow() -> Decision {
        let mayWait = reserve > 0 || !isWritten
        reserve = 0
        handedAt = nil
        return mayWait ? written(.commit) : decision(nil)
    }

    /// Room for twice as many as there were.
    private mutating func endGroup() -> Decision {
        reserve = min(max(2 * count, Self.sizes.lowerBound), Self.sizes.upperBound)
        return written(.save)
    }

    private mutating func written(_ write: Write) -> Decision {
        isWritten = true
        oldest = nil
        isHeld = false
        count = 0
        return decision(write)
    }

    private func decision(_ write: Write?) -> Decision {
        let answer = handedAt.map { $0 + Self.longestAnswer } ?? .infinity
        let next = min(answer, groupEnd ?? .infinity, flowEnd ?? .infinity)
        return Decision(reserve: reserve, write: write, wakeAt: next.isFinite ? next : nil)
    }
}
