/// Findings of the doctor about the daemons of a machine.
extension MachineDaemons {
    /// Findings about daemons that run beside the own daemon, or about users' daemons in place of the system's.
    public var findingsOfOthers: [Finding] {
        othersRunning.compactMap { other in
            if own.isRunning { return finding(.twoDaemons, "\(other.name) runs too", other) }
            guard other.user != nil else { return nil }
            return finding(.usersDaemon, "\(other.name) runs", other)
        }
    }

    /// Findings where no daemon answers.
    public var findingsWithoutAnswer: [Finding] {
        let others = findingsOfOthers
        guard others.isEmpty else { return others }
        let users = othersStopped.compactMap(\.user)
        return [
            .wrong(
                .daemon, .daemonNotRunning, "not running: no answer on the socket",
                users.map { .init(.user, $0) }, hint: startHint)
        ]
    }

    private func finding(_ problem: Warnable, _ detail: String, _ other: Daemon) -> Finding {
        let privacies = other.user.map { [Finding.Privacy(.user, $0)] } ?? []
        return .wrong(.daemon, problem, detail, privacies, hint: hint(beside: other))
    }
}
