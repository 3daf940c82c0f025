internal import HomingBase
internal import HomingControl

/// Text of the status about the arrival of notifications, as people read the status.
extension StatusText {
    func push(_ home: StatusReport.Home) -> String {
        guard let push = home.push else { return "" }
        let endpoint = push.way.map(Self.title) ?? ""
        let state =
            switch push.state {
            case "open": "connected by the \(endpoint) for \(TimeSpan.text(push.openFor ?? 0))"
            case "connecting": "connecting by the \(endpoint)"
            case "waiting":
                "\(push.closedState); next try \(TimeSpan.until(push.nextAttempt ?? 0))"
            default: push.closedState
            }
        var lines = [line("Notifications", state + (push.problem.map { ": \($0)" } ?? ""))]
        if let last = push.lastMessage {
            let confirmed = push.lastConfirmed.map { ", confirmed \(age($0))" } ?? ""
            let counts = [(push.folded, "folded"), (push.duplicates, "received twice")]
                .filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
            lines.append(
                line("", "last \(age(last))\(confirmed); \(push.shown) shown\(counts)"))
        }
        for helper in push.helpers ?? [] {
            let use = helper.inUse ? "shown on" : "in the background:"
            let waiting = helper.shown > 0 ? ", \(helper.shown) unanswered" : ""
            lines.append(line("", "\(use) the desktop of \(helper.user)\(waiting)"))
        }
        // Where none is meant to come, nobody misses a desktop.
        let isExpected = push.state != "off" || push.lastMessage != nil
        if let absence = push.absence, isExpected {
            lines.append(line("", "shown in the journal: \(absence)"))
        } else if let problem = push.desktopProblem {
            lines.append(line("", "shown in the journal, not on a desktop: \(problem)"))
        }
        return lines.joined(separator: "\n")
    }
}
