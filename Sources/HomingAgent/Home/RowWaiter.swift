internal import HomingBase
internal import HomingDelivery
internal import HomingRuntime

/// Somebody waiting for a row of the outbox to get home.
@LoopActor final class RowWaiter {
    /// How the wait for a row ended.
    enum Ending: Equatable {
        /// The row came to its end.
        case settled(Fate)
        /// The row is in the outbox.
        case queued
        /// There is no row.
        case noRow
    }

    /// The row, once there is one.
    private(set) var entry: EntryID?
    /// Whether to go on waiting while there is no way.
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
        timeout?.cancel()
        expiry?.cancel()
        let respond = respond
        self.respond = nil
        respond?(ending)
    }

    /// No longer waited for; what is certain is told.
    func giveUp() { finish(entry == nil ? .noRow : .queued) }

    /// Nobody is there any more to be told.
    func forget() {
        timeout?.cancel()
        expiry?.cancel()
        respond = nil
    }

    var isFinished: Bool { respond == nil }
}
