internal import HomingControl
internal import HomingNotifications

extension NotificationsReport {
    /// The notifications of the present homes, and of this machine itself.
    ///
    /// - Parameters:
    ///   - names: of the present homes, by their ids.
    ///   - home: the name of the one home that is meant; `nil` for all.
    init(_ history: NotificationHistory, names: [String: String], home: String?) {
        self.init(
            history.entries.compactMap { entry in
                let name = entry.homeID.flatMap { names[$0] }
                // The notifications of a home that is gone are nobody's.
                guard entry.homeID == nil || name != nil, home == nil || name == home else {
                    return nil
                }
                return Notification(
                    time: entry.time, home: name, sender: entry.author.word, title: entry.title,
                    message: entry.text, shown: entry.outcome.word,
                    buttons: entry.buttons.isEmpty ? nil : entry.buttons, answer: entry.answer)
            }, isOfSeveralHomes: names.count > 1)
    }
}

extension NotificationHistory.Outcome {
    /// The word of the report.
    fileprivate var word: String {
        switch self {
        case .desktop: "desktop"
        case .journal: "journal"
        case .folded: "folded"
        }
    }
}

extension PushMessage.Sender {
    /// The word of the report.
    fileprivate var word: String {
        switch self {
        case .homeAssistant: "home_assistant"
        case .homing: "homing"
        case .person: "person"
        }
    }
}
