public import HomingBase
public import HomingControl

/// The newest notifications as people read them.
extension NotificationsReport {
    /// Paragraphs, the oldest first, each with its end. A text has four blanks before each line, so that no
    /// text looks like a line of the list.
    ///
    /// - Parameter time: the time of this machine's zone, of seconds since 1970.
    public func text(time: (Double) -> CalendarTime) -> String {
        guard !notifications.isEmpty else {
            return "No notification to list since Homing started.\n"
        }
        return notifications.map { paragraph($0, time) }.joined(separator: "\n")
    }

    private func paragraph(
        _ notification: Notification, _ time: (Double) -> CalendarTime
    ) -> String {
        let origin =
            switch notification.sender {
            case "person": "somebody at this machine"
            case "homing": "Homing"
            default:
                isOfSeveralHomes
                    ? notification.home.map { "the home \($0)" } ?? "Home Assistant"
                    : "Home Assistant"
            }
        let title = notification.title.map { "  \(SafeText.line($0))" } ?? ""
        let message = SafeText.lines(notification.message).split(separator: "\n")
            .map { "    \($0)\n" }.joined()
        return "\(time(notification.time).minuteText) (from \(origin))\(title)\n\(message)"
            + "  → \(outcome(notification))\n"
    }

    private func outcome(_ notification: Notification) -> String {
        let place =
            switch notification.shown {
            case "desktop": "Shown on the desktop"
            case "journal": "Written to the journal"
            case "folded": "Shown in a summary of several"
            default: SafeText.line(notification.shown)
            }
        let titles = (notification.buttons ?? []).map { "\"\(SafeText.line($0))\"" }
            .joined(separator: ", ")
        let label = notification.shown == "journal" ? "Buttons, on a desktop alone" : "Buttons"
        let buttons = titles.isEmpty ? "" : ". \(label): \(titles)"
        // No title of a button can look like the answer, which comes first.
        return place + (notification.answer.map { ". Answer: \(SafeText.line($0))" } ?? "")
            + buttons
    }
}
