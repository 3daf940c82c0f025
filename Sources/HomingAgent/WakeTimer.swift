internal import HomingCore
internal import HomingRuntime

/// The one timer behind a state machine's `wake` effects: the latest wish counts.
@LoopActor final class WakeTimer {
    private let fire: @LoopActor () -> Void
    private var watch: Watch?
    private var at: Seconds?

    init(_ fire: @escaping @LoopActor () -> Void) { self.fire = fire }

    /// Fires once `uptime` has come. What is far away need not be exact, so that the loop wakes
    /// for several timers at once.
    func set(at uptime: Seconds) {
        if at == uptime { return }
        at = uptime
        let wait = uptime - SystemClock.now().uptime
        let handler: @LoopActor () -> Watch.Next = { [weak self] in
            self?.cancel()
            self?.fire()
            return .done
        }
        watch = wait >= 20 ? Watch.slowTimer(wait, handler) : Watch.timer(wait, handler)
    }

    /// Reckons anew how long that is: the loop's timers stand still while the machine sleeps.
    func rearm() {
        guard let at else { return }
        self.at = nil
        set(at: at)
    }

    func cancel() {
        watch?.cancel()
        watch = nil
        at = nil
    }
}
