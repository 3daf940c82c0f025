internal import HomingBase
internal import HomingControl

/// How notifications arrive, as people read it.
extension StatusText {
    func push(_ home: StatusReport.Home) -> String {
        guard let push = home.push else { return "" }
        let way = push.way.map(Self.title) ?? ""
        // Without Home Assistant's channel.
        let withoutChannel =
            push.relay?.brings == true ? "come by the relay alone" : "do not arrive"
        let state =
            switch push.state {
            case "open": "arrive by the \(way), for \(TimeSpan.text(push.openFor ?? 0))"
            case "connecting": "connecting by the \(way)"
            case "waiting":
                "\(withoutChannel); tried again \(TimeSpan.until(push.nextAttempt ?? 0))"
            case "asleep": "closed for sleep"
            default: withoutChannel
            }
        var lines = [line("Notified", state + (push.problem.map { ": \($0)" } ?? ""))]
        if let last = push.lastMessage {
            let confirmed = push.lastConfirmed.map { ", confirmed \(age($0))" } ?? ""
            let counts = [(push.folded, "folded"), (push.duplicates, "came twice")]
                .filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
            lines.append(
                line("", "the last \(age(last))\(confirmed); \(push.shown) shown\(counts)"))
        }
        for helper in push.helpers ?? [] {
            let use = helper.inUse ? "shown on" : "not in front:"
            let waiting = helper.shown > 0 ? ", \(helper.shown) unanswered" : ""
            lines.append(line("", "\(use) the desktop of \(helper.user)\(waiting)"))
        }
        // Where none is meant to come, nobody misses a desktop.
        let isExpected = push.state != "off" || push.lastMessage != nil
        if let absence = push.absence, isExpected {
            lines.append(line("", "in the journal: \(absence)"))
        } else if let problem = push.desktopProblem {
            lines.append(line("", "in the journal, as no desktop shows them: \(problem)"))
        }
        return lines.joined(separator: "\n")
    }
}
