internal import HomingRuntime

/// Some work and an alarm: the first end counts, and the second is ignored.
@LoopActor final class Race<Value: Sendable> {
    private var continuation: CheckedContinuation<Value, Never>?
    private var alarm: (any Alarm)?

    private init(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation = continuation
    }

    /// Waits for work, and `seconds` at the most. Late work goes on.
    ///
    /// - Parameters:
    ///   - late: the value where the work is late.
    ///   - work: begins at once, and calls what it is given when it ends.
    static func run(
        _ seconds: Seconds, _ clock: any Clockwork, late: Value,
        _ work: (@escaping @LoopActor (Value) -> Void) -> Void
    ) async -> Value {
        await withCheckedContinuation { continuation in
            let race = Race(continuation)
            race.alarm = clock.once(after: seconds) { race.end(late) }
            work { race.end($0) }
        }
    }

    private func end(_ value: Value) {
        continuation?.resume(returning: value)
        (continuation, alarm) = (nil, nil)
    }
}
