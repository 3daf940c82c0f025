internal import HomingRuntime

/// The conversation that `homing say` goes on with.
///
/// Home Assistant forgets one after five minutes without a word (since 2025.2; earlier it depends on
/// the agent that answers), and begins another under an id it does not know.
@LoopActor final class Conversation {
    static let lifetime: Seconds = 300

    private var id: String?
    private var usedAt: Seconds = 0

    /// The id to go on with, if there is one that Home Assistant still knows.
    func id(at now: Moment) -> String? {
        now.uptime - usedAt < Self.lifetime ? id : nil
    }

    /// Home Assistant answered under this id, or under none.
    func answered(_ id: String?, at now: Moment) {
        self.id = id
        usedAt = now.uptime
    }
}
