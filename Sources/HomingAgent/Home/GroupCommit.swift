internal import HomingDelivery
internal import HomingRuntime
internal import HomingSQLite

/// Has the queue write its positions, to their log or to the tables, when `GroupPolicy` says so
/// (`durability = grouped`).
@LoopActor final class GroupCommit {
    private let outbox: any OutboxStore
    private let clock: any Clockwork
    private let committed: @LoopActor () -> Void
    private var policy = GroupPolicy()
    private lazy var timer = WakeTimer(clock) { [weak self] in self?.handle(.wake) }

    /// - Parameter committed: called after each write; a commit may have evicted rows.
    init(
        _ outbox: any OutboxStore, clock: any Clockwork,
        committed: @escaping @LoopActor () -> Void
    ) {
        self.outbox = outbox
        self.clock = clock
        self.committed = committed
    }

    /// Tells the policy, and does what the policy says.
    func handle(_ event: GroupPolicy.Event) {
        let decision = policy.handle(event, at: clock.now())
        outbox.reserve(decision.reserve)
        timer.set(at: decision.wakeAt)
        guard let write = decision.write else { return }
        do throws(DatabaseError) {
            switch write {
            case .save: try outbox.save()
            case .commit: try outbox.commit()
            }
        } catch {
            // The queue raises its own warning; the positions stay in the journal.
            return timer.set(at: policy.handle(.notWritten, at: clock.now()).wakeAt)
        }
        committed()
    }

    /// Tells the policy of an answer. An answer over a new connection may be anybody's.
    func handleDeliveryAnswer(_ answer: Answer, isOfPosition: Bool) {
        switch answer {
        case .failed, .gone, .refused, .empty, .taken(onNewConnection: true):
            handle(.mustBeWritten)
        default: if isOfPosition { handle(.answered) }
        }
    }

    /// The machine slept: its timers have stood still.
    func rearm() { timer.rearm() }

    func shutdown() { timer.cancel() }
}
