internal import HomingRuntime

/// The one timer behind a state machine's `wake` effects: the latest wish counts.
@LoopActor final class WakeTimer {
    private let clock: any Clockwork
    private let fire: @LoopActor () -> Void
    private lazy var deadline = clock.deadline { [weak self] in self?.wake() }
    private var at: Seconds?

    init(_ clock: any Clockwork, _ fire: @escaping @LoopActor () -> Void) {
        self.clock = clock
        self.fire = fire
    }

    /// Fires once `uptime` has come; never, if it is `nil`. What is far away need not be exact, so
    /// that the loop wakes for several timers at once.
    func set(at uptime: Seconds?) {
        guard let uptime else { return cancel() }
        if at == uptime { return }
        at = uptime
        let wait = uptime - clock.now().uptime
        deadline.set(after: wait, exactly: wait < 20)
    }

    private func wake() {
        at = nil
        fire()
    }

    /// Calculates again how long that is: the loop's timers stand still while the machine sleeps.
    func rearm() {
        guard let at else { return }
        self.at = nil
        set(at: at)
    }

    func cancel() {
        if at != nil { deadline.cancel() }
        at = nil
    }
}
