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

    /// Whether notifications come by the relay.
    var brings: Bool {
        ["held", "looking", "resting"].contains(state) && lastReached != nil && failingFor == nil
    }

    /// The relay's state, and what came by it.
    ///
    /// - Parameter now: seconds since 1970, to which ages are reckoned.
    public func lines(at now: Double) -> [String] {
        let place = (name.map { "\($0), " } ?? "") + (host ?? "?")
        guard state != "configured" else {
            return [
                "\(place), by [push] url: what it receives comes back by homing notifications receive"
            ]
        }
        return (["\(place): \(stateText(now))"] + [counts(now), day, clock, toldText])
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
        return "\(place): \(front.told ? "told" : "not told yet\(reason)")"
    }

    private func stateText(_ now: Double) -> String {
        let reason = problem.map { ": \($0)" } ?? ""
        switch state {
        case "held": return "connected for \(TimeSpan.text(openFor ?? 0))"
        case "looking": return "is looked at now"
        case "connecting": return "connecting"
        case "asleep": return "closed for sleep"
        case "off": return "not connected ([push] relay is off)" + (failingFor == nil ? "" : reason)
        case "waiting":
            let failing = failingFor.map { ", not reached for \(TimeSpan.text($0))" } ?? ""
            return "tried again \(TimeSpan.until(nextAttempt ?? 0))\(failing)\(reason)"
        default:
            let looked = lastReached.map { "last looked at \(ago($0, now))" } ?? "not reached yet"
            return looked + (failingFor == nil ? "" : reason)
        }
    }

    private func counts(_ now: Double) -> String {
        let last = lastMessage.map { "the last message \(ago($0, now)); " } ?? ""
        let counts = [
            (duplicates, "came twice"), (refused, "not taken"), (others, "no notifications"),
            (refusedOrders, refusedOrders == 1 ? "order refused" : "orders refused"),
            (dropped, "dropped there"),
        ].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
        return messages == 0 && counts.isEmpty ? "" : "\(last)\(messages) came\(counts)"
    }

    private var day: String {
        guard let today, let maximum else { return "" }
        let count = maximum == 0 ? "\(today) notifications today" : "\(today) of \(maximum) today"
        guard let todayAge, todayAge >= Self.tolerance else { return count }
        return "\(count), as the relay said \(TimeSpan.text(todayAge)) ago"
    }

    private var clock: String {
        guard let clockOffset, abs(clockOffset) > Self.tolerance else { return "" }
        let side = clockOffset > 0 ? "behind" : "ahead of"
        return "this machine's clock is \(TimeSpan.text(abs(clockOffset))) \(side) the relay's"
    }

    private var toldText: String { told ? "" : "Home Assistant is not told of it yet" }

    private func ago(_ time: Double, _ now: Double) -> String {
        "\(TimeSpan.text(max(0, now - time))) ago"
    }
}
