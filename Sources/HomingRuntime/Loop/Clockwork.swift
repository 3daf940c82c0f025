/// Clock that tells the time, and calls when a time has come. `SystemClock` uses the machine's
/// clocks and the loop's timers; a test has a clock of its own.
public protocol Clockwork: Sendable {
    /// Now, on both clocks.
    func now() -> Moment

    /// Calls after `seconds`, to the millisecond; not counting time asleep.
    @LoopActor func timer(
        _ seconds: Seconds, _ handler: @escaping @LoopActor () -> Watch.Next
    ) -> any Alarm

    /// Calls after whole `seconds`, together with other timers of its kind: for what need not be
    /// exact, so that the process wakes once for several.
    @LoopActor func slowTimer(
        _ seconds: Seconds, _ handler: @escaping @LoopActor () -> Watch.Next
    ) -> any Alarm

    /// Makes a deadline that is not set yet: for a call that is put off more often than it comes.
    @LoopActor func deadline(_ handler: @escaping @LoopActor () -> Void) -> any Deadline
}

/// A call that is to come; it does not once this is let go.
public protocol Alarm: AnyObject {
    /// Stops it for good; the handler is let go.
    func cancel()
}

extension Watch: Alarm {}

extension Clockwork {
    /// The longest wait that is kept to the millisecond; a longer one wakes with other timers.
    @LoopActor private static var exactWait: Seconds { 10 }

    /// Calls once, after the wait that a `Pacer` gave.
    @LoopActor public func retry(
        after seconds: Seconds, _ handler: @escaping @LoopActor () -> Void
    ) -> any Alarm {
        seconds > Self.exactWait
            ? slowOnce(after: seconds, handler) : once(after: seconds, handler)
    }

    /// Calls once, as `timer` does.
    @LoopActor public func once(
        after seconds: Seconds, _ handler: @escaping @LoopActor () -> Void
    ) -> any Alarm { timer(seconds, Watch.ending(handler)) }

    /// Calls once, as `slowTimer` does.
    @LoopActor public func slowOnce(
        after seconds: Seconds, _ handler: @escaping @LoopActor () -> Void
    ) -> any Alarm { slowTimer(seconds, Watch.ending(handler)) }
}
