internal import HomingDelivery
internal import HomingRuntime

/// Brings to the disk what could not be delivered from the outbox's memory tier
/// (`durability = crash`).
///
/// A row goes to the disk when it is between 60 and 80 s old: a receipt, where all is well, comes
/// within a minute of it. While there are no new rows, nothing wakes.
@LoopActor final class Spiller {
    /// Seconds that a row may stay in memory.
    static let patience: Seconds = 60
    /// Seconds between two looks.
    static let beat: Seconds = 20

    private let outbox: any PersistentOutbox
    private let clock: any Clockwork
    private var alarm: (any Alarm)?
    /// Uptime at which the newest row came.
    private var lastRow: Seconds = 0
    /// Lead of the wall clock over uptime at the last look: ages mean nothing across a step.
    private var offset: Seconds = 0

    init(_ outbox: any PersistentOutbox, clock: any Clockwork) {
        self.outbox = outbox
        self.clock = clock
    }

    /// Handles a new row, or old rows that there may be.
    func noteRow() {
        lastRow = clock.now().uptime
        guard alarm == nil else { return }
        offset = clock.now().offset
        alarm = clock.slowTimer(Self.beat) { [weak self] in
            self?.look()
            return .again
        }
    }

    private func look() {
        let now = clock.now()
        let isStepped = abs(now.offset - offset) > 1
        offset = now.offset
        // What keeps it from that, it tells by itself.
        if isStepped {
            try? outbox.spillAll()
        } else {
            try? outbox.spill(acceptedBefore: now.unixTime - Self.patience)
        }
        if now.uptime - lastRow > Self.patience { alarm = nil }
    }

    func shutdown() { alarm = nil }
}

extension Moment {
    /// Seconds by which the wall clock is ahead of uptime.
    fileprivate var offset: Seconds { unixTime - uptime }
}
