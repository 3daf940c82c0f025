internal import Glibc

/// The machine's clocks, and the loop's timers.
public struct SystemClock: Clockwork {
    public init() {}

    /// Now, on both clocks.
    public static func now() -> Moment {
        Moment(uptime: read(CLOCK_BOOTTIME), unixTime: read(CLOCK_REALTIME))
    }

    private static func read(_ clock: clockid_t) -> Seconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) / 1e9
    }

    // What these do is told at the protocol.
    public func now() -> Moment { Self.now() }

    @LoopActor public func timer(
        _ seconds: Seconds, _ handler: @escaping @LoopActor () -> Watch.Next
    ) -> any Alarm { Watch.timer(seconds, handler) }

    @LoopActor public func slowTimer(
        _ seconds: Seconds, _ handler: @escaping @LoopActor () -> Watch.Next
    ) -> any Alarm { Watch.slowTimer(seconds, handler) }

    @LoopActor public func deadline(_ handler: @escaping @LoopActor () -> Void) -> any Deadline {
        LoopDeadline(handler)
    }
}
