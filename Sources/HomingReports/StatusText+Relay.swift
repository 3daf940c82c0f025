internal import HomingBase
public import HomingControl

/// The relay's part of the status, as people read it.
extension StatusText {
    func relay(_ home: StatusReport.Home) -> String {
        guard let relay = home.push?.relay else { return "" }
        let lines = relay.lines(at: now).enumerated()
            .map { line($0.offset == 0 ? "Relay" : "", $0.element) }
        return (lines + [relay.frontText.map { line("Front", $0) }].compactMap { $0 })
            .joined(separator: "\n")
    }
}

extension StatusReport.Relay {
    /// Seconds that two clocks may differ, and a count may be old, without a word.
    private static let tolerance = 60.0

    /// The relay's state, and what came by it.
    ///
    /// - Parameter now: seconds since 1970, to which ages are reckoned.
    public func lines(at now: Double) -> [String] {
        let place = (name.map { "\($0), " } ?? "") + (host ?? "?")
        guard state != "configured" else {
            return [
                "\(place), by [push] url: homing notifications receive takes its messages"
            ]
        }
        return (["\(place): \(stateText(now))"] + [counts(now), day, clock, announcement])
            .filter { !$0.isEmpty }
    }

    /// The same, with the front.
    public func allLines(at now: Double) -> [String] {
        lines(at: now) + [frontText.map { "Front \($0)" }].compactMap { $0 }
    }

    /// The front, and whether it knows where to forward; `nil` without a front.
    var frontText: String? {
        guard let front else { return nil }
        let place = "\(front.host ?? "?"), \(front.fingerprint ?? "?")"
        let reason = front.problem.map { ": \($0)" } ?? ""
        return "\(place): \(front.told ? "announced" : "not announced yet\(reason)")"
    }

    private func stateText(_ now: Double) -> String {
        let reason = problem.map { ": \($0)" } ?? ""
        switch state {
        case "held": return "connected for \(TimeSpan.text(openFor ?? 0))"
        case "looking": return "checking for messages"
        case "connecting": return "connecting"
        case "asleep": return "closed for sleep"
        case "off": return "not connected ([push] relay is off)" + (failingFor == nil ? "" : reason)
        case "waiting":
            let failing = failingFor.map { ", not reached for \(TimeSpan.text($0))" } ?? ""
            return "next try \(TimeSpan.until(nextAttempt ?? 0))\(failing)\(reason)"
        default:
            let looked = lastReached.map { "last checked \(ago($0, now))" } ?? "not reached yet"
            return looked + (failingFor == nil ? "" : reason)
        }
    }

    private func counts(_ now: Double) -> String {
        let last = lastMessage.map { "last message \(ago($0, now)); " } ?? ""
        let counts = [
            (duplicates, "received twice"), (refused, "refused"), (others, "not notifications"),
            (refusedOrders, refusedOrders == 1 ? "command refused" : "commands refused"),
            (dropped, "dropped by the relay"),
        ].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
        return messages == 0 && counts.isEmpty ? "" : "\(last)\(messages) received\(counts)"
    }

    private var day: String {
        guard let today, let maximum else { return "" }
        let count = maximum == 0 ? "\(today) notifications today" : "\(today) of \(maximum) today"
        guard let todayAge, todayAge >= Self.tolerance else { return count }
        return "\(count), counted \(TimeSpan.text(todayAge)) ago"
    }

    private var clock: String {
        guard let clockOffset, abs(clockOffset) > Self.tolerance else { return "" }
        let side = clockOffset > 0 ? "behind" : "ahead of"
        return "this machine's clock is \(TimeSpan.text(abs(clockOffset))) \(side) the relay's"
    }

    private var announcement: String { told ? "" : "Home Assistant does not know the relay yet" }

    private func ago(_ time: Double, _ now: Double) -> String {
        "\(TimeSpan.text(max(0, now - time))) ago"
    }
}
