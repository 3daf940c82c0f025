public import HomingRuntime

/// A clock that stands still until a test lets time pass: then all that is due on the way happens,
/// in order, each at its time.
///
/// It belongs to the loop.
public final class VirtualClock: Clockwork, @unchecked Sendable {
    private final class Call: Alarm {
        let period: Seconds
        /// Uptime.
        var at: Seconds
        let handler: @LoopActor () -> Watch.Next

        init(
            _ period: Seconds, from uptime: Seconds,
            _ handler: @escaping @LoopActor () -> Watch.Next
        ) {
            (self.period, self.handler) = (period, handler)
            at = uptime + period
        }

        func cancel() { at = .infinity }
    }

    /// Handle that a caller holds: when the handle is let go, nothing is called.
    private final class Handle: Alarm {
        let call: Call
        init(_ call: Call) { self.call = call }
        func cancel() { call.cancel() }
        deinit { call.cancel() }
    }

    private final class VirtualDeadline: Deadline {
        private let clock: VirtualClock
        private let handler: @LoopActor () -> Void
        private var alarm: (any Alarm)?

        init(_ clock: VirtualClock, _ handler: @escaping @LoopActor () -> Void) {
            (self.clock, self.handler) = (clock, handler)
        }

        func set(after seconds: Seconds, exactly: Bool) {
            alarm = clock.once(after: exactly ? seconds : seconds.rounded(.up), handler)
        }

        func cancel() { alarm = nil }
    }

    private var moment: Moment
    private var calls: [Call] = []
    /// Number of calls so far.
    public private(set) var count = 0
    /// Whether nobody is to be called.
    public var isIdle: Bool { calls.allSatisfy { $0.at == .infinity } }

    /// - Parameters:
    ///   - unixTime: what the wall clock says at the beginning.
    ///   - uptime: how long the machine has run then.
    public init(unixTime: Seconds = 1_800_000_000, uptime: Seconds = 1000) {
        moment = Moment(uptime: uptime, unixTime: unixTime)
    }

    public func now() -> Moment { moment }

    @LoopActor public func timer(
        _ seconds: Seconds, _ handler: @escaping @LoopActor () -> Watch.Next
    ) -> any Alarm {
        call(after: (max(0, seconds) * 1000).rounded(.up) / 1000, handler)
    }

    @LoopActor public func slowTimer(
        _ seconds: Seconds, _ handler: @escaping @LoopActor () -> Watch.Next
    ) -> any Alarm {
        call(after: max(1, seconds).rounded(), handler)
    }

    @LoopActor public func deadline(_ handler: @escaping @LoopActor () -> Void) -> any Deadline {
        VirtualDeadline(self, handler)
    }

    @LoopActor private func call(
        after seconds: Seconds, _ handler: @escaping @LoopActor () -> Watch.Next
    ) -> any Alarm {
        let call = Call(seconds, from: moment.uptime, handler)
        calls.append(call)
        return Handle(call)
    }

    /// Lets time pass.
    @LoopActor public func pass(_ seconds: Seconds) {
        let end = moment.uptime + seconds
        var idle = 0
        while let call = next(until: end) {
            idle = call.at > moment.uptime ? 0 : idle + 1
            precondition(idle < 10_000, "somebody asks again and again to be called at once")
            advance(to: call.at)
            count += 1
            call.at = call.handler() == .again ? max(call.at, call.at + call.period) : .infinity
        }
        advance(to: end)
    }

    /// Somebody sets the wall clock.
    public func step(by seconds: Seconds) { moment.unixTime += seconds }

    /// The machine sleeps: both clocks go on, and whoever is to be called waits as long as before, as
    /// timers of CLOCK_MONOTONIC do.
    public func sleep(_ seconds: Seconds) {
        moment = moment.advanced(by: seconds)
        for call in calls { call.at += seconds }
    }

    /// The first of those that are due; of two at one time, that which was asked for first.
    private func next(until end: Seconds) -> Call? {
        calls.removeAll { $0.at == .infinity }
        guard let first = calls.min(by: { $0.at < $1.at }), first.at <= end else { return nil }
        return first
    }

    private func advance(to uptime: Seconds) {
        moment = moment.advanced(by: max(0, uptime - moment.uptime))
    }
}
