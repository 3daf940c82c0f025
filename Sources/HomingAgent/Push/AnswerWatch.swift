internal import HomeAssistantAPI
internal import HomingDelivery
internal import HomingRuntime

/// Follows the answers that are on their way home, and tells of those that expire first.
@LoopActor final class AnswerWatch {
    private struct Answer {
        let id: EntryID
        /// Seconds since 1970.
        let expiresAt: Seconds
        let title: String
    }

    private let outbox: any OutboxStore
    private unowned let delivery: Delivery
    private let clock: any Clockwork
    private let expired: @LoopActor (String) -> Void
    private var answers: [Answer] = []
    private lazy var timer = WakeTimer(clock) { [weak self] in self?.woke() }

    /// - Parameter expired: gets what an answer said.
    init(
        _ outbox: any OutboxStore, _ delivery: Delivery, clock: any Clockwork,
        expired: @escaping @LoopActor (String) -> Void
    ) {
        self.outbox = outbox
        self.delivery = delivery
        self.clock = clock
        self.expired = expired
    }

    /// The machine slept: its timers have stood still.
    func rearm() { timer.rearm() }

    func shutdown() { timer.cancel() }

    func watch(_ id: EntryID, _ expiresAt: Seconds, _ title: String) {
        answers.append(Answer(id: id, expiresAt: expiresAt, title: title))
        // Of more, the first are not told of.
        if answers.count > Bound.remarks { answers.removeFirst() }
        setTimer()
    }

    /// Takes up those that an earlier run left in the outbox.
    func resume() {
        let rows = try? outbox.entries(.events, freshness: .live, after: 0, limit: 100)
        for row in rows ?? [] {
            guard case .event(let event) = row.message, let expiresAt = row.expiresAt,
                event.type == NotificationEvent.actionType
            else { continue }
            answers.append(
                Answer(id: row.id, expiresAt: expiresAt, title: "of an earlier run"))
        }
        setTimer()
    }

    /// These rows came to their end.
    func settled(_ ids: [EntryID], _ fate: Fate) {
        guard !answers.isEmpty, fate != .expired else { return }
        answers.removeAll { ids.contains($0.id) }
        setTimer()
    }

    /// Seconds by which a row that is being sent gets a little longer.
    private static let grace: Seconds = 5

    private func woke() {
        // What is under way may be proved in a moment.
        if delivery.state.isAtWork {
            return timer.set(at: clock.now().uptime + Self.grace)
        }
        delivery.expire()
        let now = clock.now().unixTime
        let due = answers.filter { $0.expiresAt < now }
        for answer in due where (try? outbox.holds(answer.id)) == false {
            answers.removeAll { $0.id == answer.id }
            expired(answer.title)
        }
        setTimer()
    }

    private func setTimer() {
        guard let next = answers.map(\.expiresAt).min() else { return timer.cancel() }
        let now = clock.now()
        timer.set(at: now.uptime + max(Self.grace, next - now.unixTime + 1))
    }
}
