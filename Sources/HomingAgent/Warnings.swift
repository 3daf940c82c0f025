internal import Glibc
internal import HomingHealth
internal import HomingRuntime

/// Keeps the warnings of one owner, this machine or a home, and writes each change to the journal
/// once it has lasted.
@LoopActor final class Warnings {
    let log: HomeLog
    private let subject: Warnable.Subject
    private var board = HealthBoard()
    private let clock: any Clockwork
    private let changed: @LoopActor () -> Void
    private lazy var timer = WakeTimer(clock) { [weak self] in self?.review() }

    /// - Parameters:
    ///   - subject: the owner's kind: only warnings about it are kept here.
    ///   - log: the owner's.
    ///   - changed: called when other warnings are shown than before, or may be.
    init(
        of subject: Warnable.Subject = .home, log: HomeLog, clock: any Clockwork,
        changed: @escaping @LoopActor () -> Void
    ) {
        (self.subject, self.log, self.clock) = (subject, log, clock)
        self.changed = changed
    }

    /// Reason why a warning is cleared.
    enum Ending {
        /// The good state is there.
        case solved
        /// Another warning, which is shown, says more.
        case replaced(by: Warnable)
        /// An end that shows no good state, as after a deletion or a time.
        case withdrawn
    }

    /// Raises or clears a warning.
    ///
    /// - Parameters:
    ///   - since: the uptime at which the problem began, if that was before now.
    ///   - ending: the reason why the warning is cleared.
    func set(
        _ warnable: Warnable, _ raised: Bool, detail: String? = nil, since: Seconds? = nil,
        ending: Ending = .solved
    ) {
        assert(warnable.subject == subject, "\(warnable.code) has another owner")
        // Most calls say that all is well as before.
        guard raised || board.isRaised(warnable) else { return }
        let changes = board.set(warnable, raised, detail: detail, since: since, at: clock.now())
        announce(changes, of: warnable, ending)
        if !changes.isEmpty { changed() }
    }

    /// Whether the warning is raised, shown or not.
    func isRaised(_ warnable: Warnable) -> Bool { board.isRaised(warnable) }

    /// The warnings that are shown, with their details.
    var visible: [(warnable: Warnable, detail: String?)] { board.visible }

    /// The machine slept: its timers have stood still.
    func rearm() { timer.rearm() }

    func shutdown() { timer.cancel() }

    private func review() {
        announce(board.review(at: clock.now()))
        changed()
    }

    /// - Parameter cleared: the warning that `ending` is about. Each other warning ends by its time.
    private func announce(
        _ changes: [HealthBoard.Change], of cleared: Warnable? = nil,
        _ ending: Ending = .withdrawn
    ) {
        timer.set(at: board.nextReview)
        for change in changes {
            switch change {
            case .appeared(let warnable, let detail):
                log.write(
                    warnable.severity == .error ? .error : .warning,
                    "\(warnable.text)\(Self.text(of: detail)). What to do: \(Self.owner.typed(warnable.hint))",
                    messageID: warnable.messageID, [("WARNABLE", warnable.code)])
            case .cleared(let warnable):
                let own: Ending = warnable == cleared ? ending : .withdrawn
                log.write(.notice, own.text(warnable), [("WARNABLE", warnable.code)])
            }
        }
    }

    /// Owner of this daemon.
    nonisolated static let owner = DaemonOwner(runningAs: geteuid())

    /// The detail behind a colon, without a full stop: the detail may be another program's sentence.
    private static func text(of detail: String?) -> String {
        guard let detail else { return "" }
        return ": \(detail.hasSuffix(".") ? String(detail.dropLast()) : detail)"
    }
}

extension Warnings.Ending {
    /// The end of a warning in people's words. "Resolved" stands before a good state alone.
    func text(_ warnable: Warnable) -> String {
        switch self {
        case .solved: "Resolved: \(warnable.resolved)"
        case .replaced(let other): "No longer reported: \(warnable.text). Now: \(other.text)"
        case .withdrawn: "No longer reported: \(warnable.text)"
        }
    }
}
