/// A call at a time that can be moved. Each `set` moves the call, and `cancel` removes it.
///
/// To move a deadline costs less than to make an `Alarm`. So a deadline suits a call that most events
/// put off.
public protocol Deadline: AnyObject {
    /// Calls once after `seconds`, not counting time asleep, and not at the time set before.
    ///
    /// - Parameter exactly: to the millisecond; otherwise up to a second later, together with the
    ///   loop's other slow timers.
    @LoopActor func set(after seconds: Seconds, exactly: Bool)

    /// Calls no more until the next `set`.
    @LoopActor func cancel()
}

/// A deadline of the loop. Nothing is called once it is let go.
@LoopActor final class LoopDeadline: Deadline {
    private let number: Int
    private let handler: @LoopActor () -> Void

    init(_ handler: @escaping @LoopActor () -> Void) {
        number = DeadlineQueue.main.claimNumber()
        self.handler = handler
    }

    func set(after seconds: Seconds, exactly: Bool) {
        DeadlineQueue.main.set(number, after: seconds, exactly: exactly, handler)
    }

    func cancel() { DeadlineQueue.main.remove(number) }

    deinit { DeadlineQueue.main.remove(number) }
}
