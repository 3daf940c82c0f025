internal import HomingControl
internal import HomingHealth

/// The findings about a relay that was joined, and about its front.
struct RelayFindings {
    private let relay: StatusReport.Relay?
    private let result: Result<TestRelayResult, ControlError>

    /// - Parameters:
    ///   - relay: as the status has it.
    ///   - result: of `check_relay`.
    init(_ relay: StatusReport.Relay?, _ result: Result<TestRelayResult, ControlError>) {
        self.relay = relay
        self.result = result
    }

    var all: [Finding] {
        let host = relay?.host ?? "?"
        let privacies = [Finding.Privacy(.host, host)]
        do throws(ControlError) {
            let test = try result.get()
            let isOpen = test.steps.contains { $0.step == .connected }
            guard let front = test.front, isOpen else {
                if let problem = test.problem {
                    return [.wrong(.relay, .relayUnreachable, problem, privacies)]
                }
                let time = Self.time(test)
                return [
                    .well(
                        .relay, "\(host) opens the mailbox, and takes the token\(time)", privacies)
                ]
            }
            return [.well(.relay, "\(host) opens the mailbox", privacies), about(front, test)]
        } catch {
            let reason = error.exitCode == .notPermitted ? "needs sudo" : error.message
            return [.skipped(.relay, reason, privacies)]
        }
    }

    private func about(_ host: String, _ test: TestRelayResult) -> Finding {
        let privacies = [Finding.Privacy(.host, host)]
        let told =
            relay?.front?.told == false
            ? "; Home Assistant does not have the token of the relay yet" : ""
        if let reason = test.frontAway {
            let detail = "\(host) is not reached from here: \(reason). Try at home\(told)"
            return .skipped(.front, detail, privacies)
        }
        if let problem = test.problem { return .wrong(.front, .relayRefused, problem, privacies) }
        let key = relay?.front?.fingerprint.map { " (\($0))" } ?? ""
        return .well(.front, "\(host)\(key) takes the token\(Self.time(test))\(told)", privacies)
    }

    private static func time(_ test: TestRelayResult) -> String {
        test.steps.last.map { " in \($0.milliseconds) ms" } ?? ""
    }
}
