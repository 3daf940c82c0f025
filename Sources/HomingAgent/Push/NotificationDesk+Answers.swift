internal import Glibc
internal import HomeAssistantAPI
internal import HomingBase
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHealth
internal import HomingMachine
internal import HomingNotifications
internal import HomingRuntime

/// What people do with a notification, on its way to Home Assistant.
extension NotificationDesk {
    func chosen(
        _ button: Int, _ reply: String?, _ message: PushMessage, on desktop: any Desktop
    ) {
        let helper = desktop as? SessionDesktop
        switch ActionPolicy.judge(
            button, reply: reply, on: message, isLocked: isLocked(helper?.user))
        {
        case .refuse(let reason): Log.notice("an answer to a notification is ignored: \(reason)")
        case .perform(let action, let reply): ask(action, reply, message, on: desktop)
        case .hold(let action, let reply):
            guard !held.isFull else {
                return tellExpired("“\(action.title)”, one of too many that wait for the session,")
            }
            hold(action, reply, message, on: helper)
        }
    }

    private func hold(
        _ action: PushAction, _ reply: String?, _ message: PushMessage, on desktop: SessionDesktop?
    ) {
        let patience = actionExpiry == 0 ? 86_400 : actionExpiry
        held.append(
            HeldAnswer(
                action: action, reply: reply, message: message, user: desktop?.user,
                key: desktop?.answered.last { $0.message == message }?.key,
                until: pipeline.clock.now().uptime + patience))
        Log.notice("an answer waits until the session is unlocked")
        reviewHeld()
    }

    /// Whether nobody has shown that they may unlock the session in which the answer was given. The
    /// answers of another user's helper are given at the machine.
    private func isLocked(_ user: UInt32?) -> Bool {
        UserSession.isLocked(helpers.sessions, of: user ?? geteuid(), inFront: user != nil)
    }

    /// Whether it is unlocked, and the helper there if it has to ask for the text.
    private func isReady(_ answer: HeldAnswer) -> Bool {
        if isLocked(answer.user) { return false }
        guard answer.action.text != nil, answer.reply == nil, let user = answer.user else {
            return true
        }
        return helpers.desktop(of: user)?.isAttended ?? true
    }

    /// The sessions changed, or a held answer has waited long enough.
    func reviewHeld() {
        let now = pipeline.clock.now().uptime
        for answer in held.take(where: { $0.until <= now }) {
            let title = "“\(answer.action.title)”, which waited for the session to be unlocked,"
            if isDesktopSettled {
                tellExpired(title)
            } else {
                expiredEarly.append(title)
                reviewLeft()
            }
        }
        for answer in held.take(where: { isReady($0) }) {
            let desktop = answer.user.flatMap { helpers.desktop(of: $0) }
            ask(answer.action, answer.reply, answer.message, on: desktop ?? own)
        }
        if let next = held.nextEnd { heldTimer.set(at: next) } else { heldTimer.cancel() }
    }

    /// Asks for the text, where the notification server had no entry for it.
    private func ask(
        _ action: PushAction, _ reply: String?, _ message: PushMessage, on desktop: any Desktop
    ) {
        guard let entry = action.text, reply == nil else {
            return perform(action, reply, message, on: desktop)
        }
        let subject = message.title.map { "\(action.title): \($0)" } ?? action.title
        desktop.ask(subject, button: entry.button, about: message) { [weak self] outcome in
            switch outcome {
            case .text(let text):
                self?.perform(action, ActionPolicy.reply(text), message, on: desktop)
            case .cancelled: Log.info("no text was entered: the answer is not sent")
            case .unavailable:
                Log.notice("nothing here can ask for a text: the answer goes without one")
                self?.perform(action, nil, message, on: desktop)
            }
        }
    }

    private func perform(
        _ action: PushAction, _ reply: String?, _ message: PushMessage, on desktop: any Desktop
    ) {
        if let link = action.opens { open(link, from: message, on: desktop) }
        guard action.fires else { return }
        let title = "“\(action.title)”" + (message.title.map { " to “\($0)”" } ?? "")
        fire(message, expiring: title) { .action(action.id, reply: reply, on: $0, $1) }
        guard let name = message.category, message.categoryActions.contains(action.id),
            let deviceName = registration?.deviceName
        else { return }
        // One answer, of which is told once if it expires.
        fire(message, expiring: "") {
            .categoryAction(
                action.id, in: name, text: action.text.map { _ in reply ?? "" },
                deviceName: deviceName, on: $0, $1)
        }
    }

    /// Opens what a click leads to.
    func open(_ link: Link, from message: PushMessage, on desktop: any Desktop) {
        guard let base = pipeline.openBase ?? registration?.instanceURL else { return }
        desktop.open(link.address(base: base), from: message) {
            Log.warning("a link cannot be opened: \($0)")
        }
    }

    // MARK: Events

    /// Tells Home Assistant, now or when it can be reached.
    ///
    /// - Parameter title: of an answer, which expires; empty if that is not to be told.
    func fire(
        _ message: PushMessage, expiring title: String? = nil,
        _ event: (NotificationEvent.Subject, NotificationEvent.Stamp) -> NotificationEvent
    ) {
        guard let registration, message.sender == .homeAssistant else { return }
        let now = pipeline.clock.now()
        let subject = NotificationEvent.Subject(
            message: message.message, title: message.title, tag: message.tag, data: message.data)
        let stamp = NotificationEvent.Stamp(
            deviceID: registration.deviceID, homingID: RandomToken.ulid(at: now.unixTime),
            firedAt: now.unixTime)
        let event = event(subject, stamp)
        let expiresAt = title == nil || actionExpiry == 0 ? nil : now.unixTime + actionExpiry
        let stored = pipeline.fire(
            EventMessage(type: event.type, data: event.data), expiresAt: expiresAt)
        if let stored, let expiresAt, let title, !title.isEmpty {
            answers.watch(stored, expiresAt, title)
        }
    }

    /// An answer did not get home in time: who gave it has to know.
    func tellExpired(_ title: String) {
        Log.notice("the answer \(title) did not get home in time and was dropped")
        pipeline.raise(.answerExpired, true, detail: title)
        var draft = PushMessage.Draft()
        draft.title = "Not answered"
        draft.message =
            "Your answer \(title) did not reach Home Assistant in time and was dropped."
        draft.tag = "homing.expired"
        draft.sender = .homing
        show(PushMessage(draft))
    }
}

extension RandomToken {
    /// An id for an event.
    static func ulid(at unixTime: Seconds) -> String {
        ULID(time: unixTime, random: (.random(in: 0...(.max)), .random(in: 0...(.max)))).description
    }
}
