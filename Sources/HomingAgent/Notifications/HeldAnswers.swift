internal import HomingNotifications
internal import HomingRuntime

/// An answer that waits until the session is unlocked.
struct HeldAnswer: Codable, Equatable {
    let action: PushAction
    let reply: String?
    let message: PushMessage
    /// User on whose desktop the answer was given; `nil` for the daemon's own desktop.
    let user: UInt32?
    /// The helper's key of the notification, by which it may be asked for a text.
    let key: String?
    /// Uptime at which it is worth nothing any more.
    let until: Seconds
}

/// The answers that wait, in memory and in a file: a restart of the daemon must neither lose one nor
/// give it more time. What the file says is believed no further than that an answer was given; whether
/// the session is unlocked, logind tells the next daemon again.
@LoopActor struct HeldAnswers {
    /// Answers that may wait, of `Bound.heldAnswers` together.
    static let limit = 16

    private let file: RuntimeFile<[HeldAnswer]>
    private(set) var all: [HeldAnswer] = []

    /// - Parameter folder: that a reboot empties.
    init(folder: String) {
        file = RuntimeFile(
            path: "\(folder)/held.json", limit: 4 << 20,
            loss: "answers that wait are lost by a restart")
        all = Array((file.load() ?? []).prefix(Self.limit))
    }

    /// Whether no further one may wait.
    var isFull: Bool { all.count >= Self.limit || all.map(\.message).size >= Bound.heldAnswers }
    /// Uptime at which the next one is worth nothing any more.
    var nextEnd: Seconds? { all.map(\.until).min() }

    mutating func append(_ answer: HeldAnswer) {
        all.append(answer)
        file.store(all)
    }

    /// Takes these out. They are out of the file before anything is done with them: a door that does
    /// not open is better than one that opens twice.
    mutating func takeOutAnswers(where condition: (HeldAnswer) -> Bool) -> [HeldAnswer] {
        let taken = all.filter(condition)
        guard !taken.isEmpty else { return [] }
        all.removeAll(where: condition)
        file.store(all)
        return taken
    }
}
