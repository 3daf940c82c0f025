internal import HomingDelivery
internal import HomingRuntime
internal import HomingSQLite

/// Those who wait for a row of one home's queue to be delivered.
@LoopActor final class RowWaiters {
    private let outbox: any OutboxStore
    private var waiters: [RowWaiter] = []

    init(_ outbox: any OutboxStore) { self.outbox = outbox }

    var isEmpty: Bool { waiters.isEmpty }

    /// Adds a waiter. Beyond the bound the first waiter gets its answer at once.
    func add(_ waiter: RowWaiter) {
        waiters.append(waiter)
        if waiters.count > Bound.waiters { waiters.removeFirst().giveUp() }
    }

    /// Gives this row to all who wait for a row still to come. Returns whether there are any.
    func assign(_ id: EntryID) -> Bool {
        let unassigned = waiters.filter { $0.entry == nil && !$0.isFinished }
        for waiter in unassigned { waiter.assign(id) }
        return !unassigned.isEmpty
    }

    /// Answers those who wait for rows that were settled.
    func answer(_ ids: [EntryID], _ fate: Fate) {
        finish(.settled(fate)) { ids.contains($0) }
    }

    /// Answers the waiters of rows that the queue has dropped. If the queue cannot be read, the
    /// waiters go on waiting, and the queue raises the warning.
    func answerGone(as fate: Fate) {
        finish(.settled(fate)) { (try? outbox.holds($0)) == false }
    }

    /// Answers all who wait for a row: the queue was replaced, and no row in the new one has the
    /// number of a row in the old.
    func answerReplaced() {
        finish(.settled(.lostWithDatabase)) { _ in true }
    }

    /// Answers those whose row meets the condition.
    private func finish(_ ending: RowWaiter.Ending, where condition: (EntryID) -> Bool) {
        for waiter in waiters where waiter.entry.map(condition) ?? false { waiter.finish(ending) }
        removeFinished()
    }

    /// Tells those who need not wait for a route that the row is safe in the queue.
    func answerQueued() {
        for waiter in waiters where waiter.entry != nil && !waiter.isStubborn {
            waiter.finish(.queued)
        }
        removeFinished()
    }

    func removeFinished() { waiters.removeAll(where: \.isFinished) }

    /// Tells everybody what is certain.
    func giveUp() {
        for waiter in waiters { waiter.giveUp() }
        waiters = []
    }
}

extension OutboxStore {
    /// Whether the row is still queued.
    func holds(_ id: EntryID) throws(DatabaseError) -> Bool {
        for freshness in [Freshness.live, .history] {
            let found = try entries(id.stream, freshness: freshness, after: id.number - 1, limit: 1)
            if found.first?.id == id { return true }
        }
        return false
    }
}

/// Somebody waiting for a row of the queue.
@LoopActor final class RowWaiter {
    /// End of the wait for a row.
    enum Ending: Equatable {
        /// The row came to its end.
        case settled(Fate)
        /// The row is in the outbox.
        case queued
        /// Absence of a row.
        case noRow
    }

    /// The row, once there is one.
    private(set) var entry: EntryID?
    /// Whether to go on waiting while there is no route.
    let isStubborn: Bool
    private var respond: (@LoopActor (Ending) -> Void)?
    private var timeout: (any Alarm)?
    /// Ends the wait when the row itself has expired.
    private var expiry: (any Alarm)?

    /// - Parameters:
    ///   - patience: seconds after which the waiter gets an answer in any case; `nil` for never.
    ///   - respond: called once.
    init(
        patience: Seconds?, isStubborn: Bool = false, clock: any Clockwork,
        respond: @escaping @LoopActor (Ending) -> Void
    ) {
        self.respond = respond
        self.isStubborn = isStubborn
        timeout = patience.map { patience in
            clock.once(after: patience) { [weak self] in self?.giveUp() }
        }
    }

    /// Waits for this row from now on.
    func assign(_ id: EntryID) { entry = id }

    /// Ends with the row: the alarm finishes the wait.
    func ends(by alarm: any Alarm) { expiry = alarm }

    func finish(_ ending: Ending) {
        let respond = respond
        forget()
        respond?(ending)
    }

    /// Ends the wait; what is certain is told.
    func giveUp() { finish(entry == nil ? .noRow : .queued) }

    /// Forgets the waiter, who has gone.
    func forget() {
        timeout?.cancel()
        expiry?.cancel()
        respond = nil
    }

    var isFinished: Bool { respond == nil }
}
