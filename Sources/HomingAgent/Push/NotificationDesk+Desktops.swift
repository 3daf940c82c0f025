internal import HomingMachine
internal import HomingNotifications

/// On which desktop a notification is shown.
extension NotificationDesk {
    /// Whether there may be a desktop on our own session bus.
    var hasOwnDesktop: Bool { own.isExpected }

    /// Others are logged in, or in front, or have locked their session.
    func sessionsChanged(_ sessions: [UserSession]?) {
        helpers.sessionsChanged(sessions)
        reviewLeft()
        reviewHeld()
    }

    /// Takes away what has this tag, also if it is not shown yet.
    func clear(tag: String) {
        clearOffered(tag: tag)
        take(away: tag)
    }

    /// Takes away what a desktop has, or is about to have.
    func take(away tag: String) {
        pictures.drop(tag: tag)
        own.clear(tag: tag)
        for desktop in helpers.all { desktop.clear(tag: tag) }
    }

    /// To the person in front, by their helper or on our own bus. What another desktop shows with the
    /// same tag is taken away there.
    func hand(_ message: PushMessage, _ picture: String?) {
        let chosen = helpers.chosen()
        let helper = try? chosen.get()
        if let tag = message.tag {
            for other in helpers.all where other !== helper { other.clear(tag: tag) }
        }
        if let helper { return helper.show(message, image: picture) }
        if case .failure(let absence) = chosen, !own.isExpected {
            return told(.failed(message, absence.reason), on: nil)
        }
        own.show(message, image: picture)
    }
}
