internal import HomingRuntime

/// The counts of the store, at most two a minute: a count walks over all messages.
@LoopActor final class RecentStatistics {
    /// Seconds for which an answer is good.
    private static let life: Seconds = 30
    /// Seconds after which an answer is too old to be handed over.
    private static let longestLife: Seconds = 60
    /// Seconds for which a question waits for a slow store.
    private static let patience: Seconds = 1

    private let store: any MailboxStore
    private let clock: any Clockwork
    private var last: StoreStatistics?
    private var counted: Seconds = -.infinity
    private var asked: Seconds = -.infinity
    private var waiters: [@LoopActor (StoreStatistics?) -> Void] = []
    private var alarm: (any Alarm)?

    init(_ store: any MailboxStore, _ clock: any Clockwork) {
        self.store = store
        self.clock = clock
    }

    /// Hands over the last counts, now or within a second; `nil` if they are older than a minute.
    func provideStatistics(_ waiter: @escaping @LoopActor (StoreStatistics?) -> Void) {
        let now = clock.now().uptime
        if now - asked < Self.life, alarm == nil { return waiter(fresh) }
        waiters.append(waiter)
        guard alarm == nil else { return }
        alarm = clock.once(after: Self.patience) { [weak self] in self?.serve() }
        asked = now
        store.statistics { [weak self] result in
            guard let self else { return }
            if case .success(let statistics) = result {
                (last, counted) = (statistics, clock.now().uptime)
            }
            serve()
        }
    }

    private var fresh: StoreStatistics? {
        clock.now().uptime - counted <= Self.longestLife ? last : nil
    }

    private func serve() {
        let waiters = waiters
        (self.waiters, alarm) = ([], nil)
        for waiter in waiters { waiter(fresh) }
    }
}
