internal import HomingDelivery
internal import HomingRuntime
internal import HomingSQLite

/// Has the queue write its positions when `GroupPolicy` says so (`durability = grouped`).
@LoopActor final class GroupCommit {
    private let outbox: any OutboxStore
    private let clock: any Clockwork
    private var policy = GroupPolicy()
    private lazy var timer = WakeTimer(clock) { [weak self] in self?.handle(.wake) }

    init(_ outbox: any OutboxStore, clock: any Clockwork) {
        self.outbox = outbox
        self.clock = clock
    }

    /// Tells the policy, and does what the policy says.
    func handle(_ event: GroupPolicy.Event) {
        let decision = policy.handle(event, at: clock.now())
        outbox.reserve(decision.reserve)
        timer.set(at: decision.wakeAt)
        // A queue that cannot be written raises its own warning; its positions stay in the journal.
        if decision.commits { try? outbox.commit() }
    }

    /// Tells the policy what came of a request.
    func handle(of answer: Answer, isPosition: Bool) {
        switch answer {
        case .failed, .gone, .refused, .empty: handle(.failed)
        default: if isPosition { handle(.answered) }
        }
    }

    /// The machine slept: its timers have stood still.
    func rearm() { timer.rearm() }

    func shutdown() { timer.cancel() }
}
