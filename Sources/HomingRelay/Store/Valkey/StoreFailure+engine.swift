internal import HomingBase
internal import HomingValkey

extension StoreFailure {
    static let tooManyMailboxes = StoreFailure(.exhausted, "there are too many mailboxes")
    static let tooManyTokens = StoreFailure(
        .exhausted, "the machine has had too many tokens: join again")
    static func tooManyInvitations(_ limit: Int) -> StoreFailure {
        StoreFailure(.exhausted, "\(limit) invitations are open: wait until some expire")
    }
    static let clockAhead = StoreFailure(
        .failed, "the engine's clock is ahead of this relay's: set both clocks")
    static let unreadable = StoreFailure(.failed, "the engine's answer is not understood")

    /// Translates a failure of the engine's client.
    init(_ failure: EngineFailure) {
        switch failure.kind {
        case .closed: self = .closed
        case .overloaded: self.init(.overloaded, failure.description)
        case .unproven:
            self.init(
                .failed, "the engine did not confirm that a message lasts: \(failure.description)")
        case .unreachable, .lost: self.init(.failed, failure.description)
        }
    }

    /// Translates an error of the engine, with advice.
    init(engineError words: String) {
        let words = words.bounded(200)
        if words.hasPrefix("OOM") {
            self.init(
                .full, "the engine has no memory left: raise maxmemory in its configuration")
        } else if words.hasPrefix("NOPERM") {
            self.init(
                .failed,
                "\(words): let the engine's user do it (the page relay-engine in /usr/share/doc/homing-relay)"
            )
        } else if words.hasPrefix("MISCONF") {
            self.init(.failed, "\(words): the engine cannot write to its disk")
        } else {
            self.init(.failed, "the engine says: \(words)")
        }
    }
}
