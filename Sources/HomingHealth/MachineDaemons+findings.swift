/// Findings of the doctor about the daemons of a machine.
extension MachineDaemons {
    /// Finding about two daemons, or about a user's daemon in place of the system's; `nil` where no other
    /// daemon runs.
    public var findingOfOtherRunning: Finding? {
        guard let other = otherRunning else { return nil }
        if own.isRunning {
            return finding(.twoDaemons, "\(other.name) runs too", hintOfOtherRunning)
        }
        guard other.user != nil else { return nil }
        return finding(.usersDaemon, "\(other.name) runs", hintOfOtherRunning)
    }

    /// Finding where no daemon answers.
    public var findingWithoutAnswer: Finding {
        findingOfOtherRunning
            ?? finding(.daemonNotRunning, "not running: no answer on the socket", startHint)
    }

    private func finding(_ problem: Warnable, _ detail: String, _ hint: String?) -> Finding {
        let user = (otherRunning ?? otherStopped)?.user
        return .wrong(
            .daemon, problem, detail, user.map { [.init(.user, $0)] } ?? [], hint: hint)
    }
}
