internal import HomingBase
internal import HomingDelivery
internal import HomingRuntime

/// Events that somebody fires.
extension Pipeline {
    /// Takes the event into the outbox; `nil` if that cannot be written.
    func accept(_ event: FiredEvent, _ now: Moment) -> EntryID? {
        guard let id = append(.event(event.message), now, expiresAt: event.expiresAt) else {
            return nil
        }
        Log.debug("accepted event \(id.number) \(event.homingID)")
        tell(.accepted(.events, urgent: true))
        return id
    }

    /// Waits for the row's end; with `expires` until then at most.
    func wait(for id: EntryID, _ waiter: RowWaiter, expires: Seconds?) {
        waiter.entry = id
        wait(waiter)
        tell(.flush)
        guard let expires, !waiter.isFinished else { return }
        // The outbox lets it go only after its time, by a clock that may be stepped.
        waiter.expiry = clock.timer(expires + 0.1) { [weak self, weak waiter] in
            self?.perform(.expire)
            waiter?.finish(.settled(.expired))
            self?.waiters.removeAll(where: \.isFinished)
            return .done
        }
    }
}
