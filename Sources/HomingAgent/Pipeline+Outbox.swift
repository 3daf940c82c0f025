internal import HomingDelivery
internal import HomingHealth

/// What becomes of the pipeline when its outbox does.
extension Pipeline {
    /// The outbox was damaged, is kept under another name, and what was queued in it is lost. No
    /// row in the new one has the number of a row in the old.
    func outboxReplaced(kept path: String) {
        raise(.outboxReplaced, true, detail: path)
        for waiter in waiters where waiter.entry != nil {
            waiter.finish(.settled(.lostWithDatabase))
        }
        waiters.removeAll(where: \.isFinished)
    }
}
