internal import Glibc
internal import HomeAssistantAPI
internal import HomingCrypto
internal import HomingDelivery
internal import HomingMachine
internal import HomingNotifications
internal import HomingRuntime

/// Carries what people do with notifications to the Home Assistant that sent the notifications.
@LoopActor final class AnswerDesk {
    private let desktops: Desktops
    private let clock: any Clockwork
    private let home: @LoopActor (PushMessage) -> Home?
    private let isAway: @LoopActor (PushMessage) -> Bool
    private let show: @LoopActor (PushMessage) -> Void
    private let expiry: @LoopActor (PushMessage) -> Seconds
    private var held: HeldAnswers
    /// Answers that expired, until there is a desktop to tell it on.
    private var expiredEarly: [(title: String, message: PushMessage)] = []
    private lazy var timer = WakeTimer(clock) { [weak self] in self?.review() }

    /// - Parameters:
    ///   - folder: that a reboot empties.
    ///   - expiry: seconds after which an answer to a notification is worth nothing; 0 for never.
    ///   - home: which home a notification is from; `nil` if that home is no more.
    ///   - isAway: whether the home cannot be opened now.
    ///   - show: shows a notification of our own.
    init(
        _ desktops: Desktops, folder: String,
        expiry: @escaping @LoopActor (PushMessage) -> Seconds, clock: any Clockwork,
        home: @escaping @LoopActor (PushMessage) -> Home?,
        isAway: @escaping @LoopActor (PushMessage) -> Bool,
        show: @escaping @LoopActor (PushMessage) -> Void
    ) {
        self.desktops = desktops
        self.clock = clock
        self.home = home
        self.isAway = isAway
        self.show = show
        self.expiry = expiry
        held = HeldAnswers(folder: folder)
    }

    /// The answers that wait until the session is unlocked.
    var waiting: [HeldAnswer] { held.all }

    /// Takes up what an earlier daemon left.
    func resume() {
        for answer in held.all { desktops.helpers.expect(answer) }
        review()
    }

    /// The machine slept: its timers have stood still.
    func rearm() { timer.rearm() }

    func shutdown() { timer.cancel() }

    // MARK: Answers

    func chosen(
        _ button: Int, _ reply: String?, _ message: PushMessage, on desktop: any Desktop
    ) {
        let place = desktop.place(of: message)
        switch ActionPolicy.judge(
            button, reply: reply, on: message, isLocked: isLocked(place.user))
        {
        case .refuse(let reason):
            note("an answer to a notification is ignored: \(reason)", message)
        case .perform(let action, let reply) where !isAway(message):
            askForMissingText(action, reply, message, on: desktop)
        case .perform(let action, let reply), .hold(let action, let reply):
            guard !held.isFull else {
                return tellExpired("“\(action.title)”, one of too many that wait,", home(message))
            }
            hold(action, reply, message, place)
        }
    }

    private func hold(
        _ action: PushAction, _ reply: String?, _ message: PushMessage, _ place: AnswerPlace
    ) {
        let expiry = expiry(message)
        let patience = expiry == 0 ? 86_400 : expiry
        held.append(
            HeldAnswer(
                action: action, reply: reply, message: message, user: place.user, key: place.key,
                until: clock.now().uptime + patience))
        note(
            "an answer waits until \(isAway(message) ? "its home is open" : "the session is unlocked")",
            message)
        review()
    }

    /// Whether nobody has shown that they may unlock the session in which the answer was given. The
    /// answers of another user's helper are given at the machine.
    private func isLocked(_ user: UInt32?) -> Bool {
        UserSession.isLocked(
            desktops.helpers.sessions, of: user ?? geteuid(), inFront: user != nil)
    }

    /// Whether it is unlocked, and the helper there if it has to ask for the text.
    private func isReady(_ answer: HeldAnswer) -> Bool {
        if isLocked(answer.user) || isAway(answer.message) { return false }
        guard answer.action.text != nil, answer.reply == nil, let user = answer.user else {
            return true
        }
        return desktops.helpers.desktop(of: user)?.isAttended ?? true
    }

    /// The sessions changed, a helper has come, or a held answer has waited long enough.
    func review() {
        let now = clock.now().uptime
        for answer in held.takeOutAnswers(where: { $0.until <= now }) {
            let title = "“\(answer.action.title)”, which waited too long,"
            expiredEarly.append((title, answer.message))
        }
        for answer in held.takeOutAnswers(where: { isReady($0) }) {
            askForMissingText(
                answer.action, answer.reply, answer.message, on: desktops.desktop(of: answer.user))
        }
        if desktops.isSettled { reportExpiredEarly() }
        let settled = expiredEarly.isEmpty ? nil : desktops.settledAt
        timer.set(at: [held.nextEnd, settled].compactMap { $0 }.min())
    }

    /// Tells what expired early: there is a desktop now, or will be none.
    private func reportExpiredEarly() {
        let answers = expiredEarly
        expiredEarly = []
        for answer in answers { tellExpired(answer.title, home(answer.message)) }
    }

    /// Asks for the text, where the notification server had no entry for it.
    private func askForMissingText(
        _ action: PushAction, _ reply: String?, _ message: PushMessage, on desktop: any Desktop
    ) {
        guard let entry = action.text, reply == nil else {
            return performAction(action, reply, message, on: desktop)
        }
        let subject = message.heading.map { "\(action.title): \($0)" } ?? action.title
        desktop.promptForReply(subject, button: entry.button, about: message) {
            [weak self] outcome in
            switch outcome {
            case .text(let text):
                self?.performAction(action, ActionPolicy.reply(text), message, on: desktop)
            case .cancelled: self?.note("no text was entered: the answer is not sent", message)
            case .unavailable:
                self?.note("nothing here can ask for a text: the answer goes without one", message)
                self?.performAction(action, nil, message, on: desktop)
            }
        }
    }

    private func performAction(
        _ action: PushAction, _ reply: String?, _ message: PushMessage, on desktop: any Desktop
    ) {
        if let link = action.opens { open(link, from: message, on: desktop) }
        guard action.fires else { return }
        let title = "“\(action.title)”" + (message.heading.map { " to “\($0)”" } ?? "")
        fire(message, expiring: title) { .action(action.id, reply: reply, on: $0, $1) }
        guard let name = message.category, message.categoryActions.contains(action.id),
            let deviceName = home(message)?.state.registration?.deviceName
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
        guard let home = home(message) else { return }
        let state = home.state
        guard let base = state.delivery.openBases.first ?? state.registration?.instanceURL else {
            return
        }
        desktop.open(link.address(base: base), from: message) {
            home.log.warning("a link cannot be opened: \($0)")
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
        guard message.sender == .homeAssistant else { return }
        guard let home = home(message) else {
            if let title, !title.isEmpty { tellExpired(title, nil) }
            return
        }
        guard let registration = home.state.registration else { return }
        let now = clock.now()
        let subject = NotificationEvent.Subject(
            message: message.message, title: message.title, tag: message.sentTag ?? message.tag,
            data: message.data
        )
        let stamp = NotificationEvent.Stamp(
            deviceID: registration.deviceID, homingID: RandomToken.hex(bytes: 16),
            firedAt: now.unixTime)
        let event = event(subject, stamp)
        let expiry = expiry(message)
        let expiresAt = title == nil || expiry == 0 ? nil : now.unixTime + expiry
        _ = home.fire(
            EventMessage(type: event.type, data: event.data), expiresAt: expiresAt,
            title: title ?? "")
    }

    /// An answer was not delivered in time: who gave it has to know.
    func tellExpired(_ title: String, _ home: Home?) {
        let line = "the answer \(title) did not reach Home Assistant in time and was dropped"
        if let home { home.log.notice(line) } else { Log.notice(line) }
        home?.warnOfExpired(title)
        show(.expired(title))
    }

    /// Writes a line about a notification to the journal, with its home.
    private func note(_ line: String, _ message: PushMessage) {
        if let home = home(message) { home.log.notice(line) } else { Log.notice(line) }
    }
}

extension PushMessage {
    /// Tells who gave an answer that it was dropped.
    fileprivate static func expired(_ title: String) -> PushMessage {
        PushMessage(
            message: "Your answer \(title) did not reach Home Assistant in time and was dropped.",
            title: "Not answered", tag: "homing.expired", sender: .homing)
    }
}
