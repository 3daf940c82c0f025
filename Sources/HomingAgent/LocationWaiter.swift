internal import HomingCore
internal import HomingRuntime

/// Somebody waiting for a report to get home.
@LoopActor final class LocationWaiter {
    /// What can be said of the report at the end.
    enum Ending: Equatable {
        /// The row came to its end.
        case settled(Fate)
        /// The row is in the outbox.
        case queued
        /// There is no row.
        case noPosition
    }

    /// The row, once there is one.
    var entry: EntryID?
    private var respond: (@LoopActor (Ending) -> Void)?
    private var timeout: (any Alarm)?

    /// - Parameter respond: called once, at the latest after `patience` seconds.
    init(
        patience: Seconds, clock: any Clockwork = SystemClock(),
        respond: @escaping @LoopActor (Ending) -> Void
    ) {
        self.respond = respond
        timeout = clock.timer(patience) { [weak self] in
            self?.giveUp()
            return .done
        }
    }

    func finish(_ ending: Ending) {
        timeout?.cancel()
        let respond = respond
        self.respond = nil
        respond?(ending)
    }

    /// No longer waited for; what is certain is told.
    func giveUp() { finish(entry == nil ? .noPosition : .queued) }

    var isFinished: Bool { respond == nil }
}
