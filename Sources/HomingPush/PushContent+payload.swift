package import HomeAssistantAPI
internal import HomingHTTP
internal import HomingNotifications

extension PushContent {
    /// Reads what a notification of Home Assistant asks for.
    package init(_ payload: NotificationPayload, from origin: PushOrigin = .direct) {
        let command = PushCommand(
            message: payload.message, tag: payload.tag, command: payload.command)
        if let command {
            self = .command(command)
            return
        }
        self = .notification(
            PushMessage(
                message: payload.message, title: payload.title, subtitle: payload.subtitle,
                tag: payload.tag, group: payload.group, channel: payload.channel,
                urgency: Self.urgency(payload), sound: payload.isSilent ? .silent : .standard,
                timeout: payload.timeout, isPersistent: payload.isPersistent,
                isSticky: payload.isSticky, isAlertedOnce: payload.isAlertedOnce,
                progress: Self.progress(payload), image: payload.image, icon: payload.icon,
                opens: payload.clickAction, links: payload.actionLinks, actions: payload.actions,
                category: payload.category, wantsReceipt: payload.wantsReceipt,
                data: payload.dataText
            ).aged(origin.age))
    }

    /// `high`, which many blueprints use, pops up on a phone; so does `normal` on a desktop, where
    /// `critical` would stay until somebody comes.
    private static func urgency(_ payload: NotificationPayload) -> PushMessage.Urgency {
        if payload.isCritical { return .critical }
        return switch (payload.interruptionLevel, payload.importance) {
        case ("passive", _), (nil, "min"), (nil, "low"): .low
        default: .normal
        }
    }

    private static func progress(_ payload: NotificationPayload) -> PushMessage.Progress? {
        if payload.isProgressIndeterminate { return .indeterminate }
        return payload.progressPercent.map { .percent(Int(min($0, 100).rounded())) }
    }
}

extension PushSession.Loss {
    /// Finds the reason why a socket ended, for the session. A gateway's 5xx means that Home
    /// Assistant is away, such as for the minutes of an update.
    init(_ end: WebSocketEnd) {
        let text = end.description
        self =
            switch end.kind {
            case .status(401), .status(403): .unauthorized(text)
            case .status(500...599): .unreachable(text)
            case .status, .notWebSocket, .violation: .refused(text)
            case .connection, .closed, .dropped, .stalled: .unreachable(text)
            }
    }
}
