internal import HomingRuntime

/// Has the store delete everything outdated, in pieces: now, and each hour.
@LoopActor final class Sweeper {
    private static let interval: Seconds = 3600
    /// Seconds between two pieces.
    private static let pause: Seconds = 0.1

    private let store: any MailboxStore
    private let clock: any Clockwork
    private var timer: (any Alarm)?
    private var next: (any Alarm)?
    private var isSweeping = false

    init(_ store: any MailboxStore, _ clock: any Clockwork) {
        self.store = store
        self.clock = clock
        timer = clock.slowTimer(Self.interval) { [weak self] in
            self?.sweep()
            return .again
        }
        sweep()
    }

    private func sweep() {
        guard !isSweeping else { return }
        isSweeping = true
        store.sweep { [weak self] in self?.swept($0) }
    }

    private func swept(_ result: Result<Swept, StoreFailure>) {
        isSweeping = false
        guard case .success(let swept) = result else { return }
        if swept.mailboxes > 0 { Log.info("\(swept.mailboxes) unused mailboxes were forgotten") }
        guard swept.isMoreLeft, timer != nil else { return }
        next = clock.once(after: Self.pause) { [weak self] in self?.sweep() }
    }

    /// Stops the sweeping.
    func end() {
        timer = nil
        next = nil
    }
}
