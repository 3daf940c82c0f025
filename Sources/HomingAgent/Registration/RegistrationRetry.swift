internal import HomingControl
internal import HomingRegistration
internal import HomingRuntime

/// Registers without being asked, at the pace of `Reregistration`, as long as that is wanted.
@LoopActor final class RegistrationRetry {
    private unowned let home: Home
    /// Registers once.
    private let register: @LoopActor () async throws(ControlError) -> Void
    private var plan = Reregistration()
    private var wasUnreachable = false
    private lazy var timer = WakeTimer(home.clock) { [weak self] in self?.woke() }

    init(_ home: Home, register: @escaping @LoopActor () async throws(ControlError) -> Void) {
        self.home = home
        self.register = register
    }

    /// Whether to register is wanted, and the token may go to Home Assistant.
    func want(_ isWanted: Bool) { performRetryEffects(plan.wanted(isWanted, at: home.clock.now())) }

    /// A person registered: what was tried before says nothing of this registration.
    func registeredByHand() { plan.registeredByHand() }

    /// Tries at once where nobody was reached on the network before.
    func networkChanged() {
        guard wasUnreachable else { return }
        wasUnreachable = false
        plan.registeredByHand()
        woke()
    }

    /// Uptime of the next try; `nil` while none is wanted, and while one is under way.
    var nextTry: Seconds? { plan.nextTry }

    func rearm() { timer.rearm() }

    func shutdown() { timer.cancel() }

    private func woke() { performRetryEffects(plan.timer(at: home.clock.now())) }

    private func performRetryEffects(_ effects: [Reregistration.Effect]) {
        for effect in effects {
            switch effect {
            case .register: home.run { [weak self] in await self?.tryOnce() }
            case .wake(let at): timer.set(at: at)
            }
        }
    }

    private func tryOnce() async {
        var outcome = Reregistration.Outcome.registered
        do throws(ControlError) { try await register() } catch {
            let isTransient = [.unavailable, .temporary].contains(error.exitCode)
            outcome = isTransient ? .unreachable : .refused
        }
        wasUnreachable = outcome == .unreachable
        performRetryEffects(plan.ended(outcome, at: home.clock.now()))
    }
}
