internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingMachine
internal import HomingNotifications
internal import HomingRuntime

/// Shows the notifications of all homes: on the desktop where there is one, else in the journal and
/// by the hook.
@LoopActor final class NotificationDesk {
    /// Seconds that the desktop has to show what is left, at the end.
    private static let farewell: Seconds = 1

    let desktops: Desktops
    let answers: AnswerDesk
    let runner: CommandRunner
    private let clock: any Clockwork
    private let home: @LoopActor (PushMessage) -> Home?
    private let headless: Headless
    private let pictures: PictureQueue
    /// Rate of each home, by the home's id: a flood of one home folds nothing of another home.
    private var rates: [String: ShowRate] = [:]
    private var rateWakes: [String: Seconds] = [:]
    /// Rate of the notifications that people have shown: these fold nothing of Home Assistant's.
    private var personsRate = ShowRate()
    private var awaited: [(message: PushMessage, respond: @LoopActor (NotifyResult) -> Void)] = []
    /// Reason why the desktop did not show the last notification.
    private var desktopProblem: String?
    /// Number of notifications that were shown, by whichever carrier.
    private var shown = 0
    private(set) var history = NotificationHistory()
    /// Notifications to show before the daemon ends, and the action that follows then.
    private var unsettled: [PushMessage] = []
    private var whenSettled: (@LoopActor () -> Void)?
    private lazy var rateTimer = WakeTimer(clock) { [weak self] in self?.rateWoke() }
    private lazy var leftTimer = WakeTimer(clock) { [weak self] in self?.reviewLeft() }
    private lazy var hurryTimer = WakeTimer(clock) { [weak self] in self?.endHurry() }

    /// - Parameters:
    ///   - folder: that a reboot empties.
    ///   - home: which home a notification is from; `nil` if that home is no more.
    ///   - awayExpiry: seconds after which an answer is worth nothing to a home that cannot be opened
    ///     now; `nil` where the home is open or no more.
    ///   - usual: the home whose hook takes what is from no home.
    init(
        _ configuration: Configuration, folder: String, machine: Machine, clock: any Clockwork,
        home: @escaping @LoopActor (PushMessage) -> Home?,
        awayExpiry: @escaping @LoopActor (PushMessage) -> Seconds? = { _ in nil },
        usual: @escaping @LoopActor () -> Home? = { nil }
    ) {
        self.clock = clock
        self.home = home
        let runner = CommandRunner()
        self.runner = runner
        let expiry: @LoopActor (PushMessage) -> Seconds = {
            home($0)?.configuration.push.actionExpiry ?? awayExpiry($0)
                ?? Configuration.Push().actionExpiry
        }
        let desk = Owner<NotificationDesk>()
        let helpers = SessionDesktops(
            folder: folder, expiry: expiry, clock: clock
        ) { desk()?.handleDesktopsEvent($0) }
        desktops = Desktops(folder: folder, runner: runner, clock: clock, helpers: helpers) {
            desk()?.handleNotifierEvent($0, on: $1)
        }
        answers = AnswerDesk(
            desktops, folder: folder, expiry: expiry, clock: clock, home: home,
            isAway: { awayExpiry($0) != nil }
        ) { desk()?.show($0) }
        headless = Headless(
            machine: machine, runner: runner,
            hook: { message in
                let owner = message.homeID == nil ? home(message) ?? usual() : home(message)
                let configuration = owner?.configuration
                return configuration?.push.hook.flatMap { configuration?.commands[$0] }
            }
        ) { desk()?.handleNotifierEvent($0, on: nil) }
        pictures = PictureQueue(
            folder: folder,
            fetch: { await home($0)?.picture(at: $1) }, report: { desk()?.handlePictureEvent($0) })
        headless.apply(configuration, isOfUser: desktops.isOwnExpected)
        desk.set(self)
    }

    /// State of the desk, as far as people may know that state.
    var state: DeskState {
        DeskState(
            shown: shown, folded: rates.values.reduce(0) { $0 + $1.total },
            desktopProblem: desktopProblem,
            hasOwnDesktop: desktops.isOwnExpected, helpers: desktops.helpers.statuses,
            absence: desktops.helpers.absence)
    }

    func apply(_ configuration: Configuration) {
        headless.apply(configuration, isOfUser: desktops.isOwnExpected)
    }

    /// Takes up what an earlier daemon left. Its helpers need a moment to come back.
    func resumeEarlier() {
        answers.resume()
        reviewLeft()
    }

    /// Others are logged in, or in front, or have locked their session.
    func sessionsChanged(_ sessions: [UserSession]?) {
        desktops.helpers.sessionsChanged(sessions)
        reviewLeft()
        answers.review()
    }

    /// The loop's timers have stood still.
    func resume() {
        for timer in [rateTimer, leftTimer, hurryTimer] { timer.rearm() }
        answers.rearm()
        desktops.helpers.resume()
    }

    func shutdown() {
        for timer in [rateTimer, leftTimer, hurryTimer] { timer.cancel() }
        answers.shutdown()
        pictures.shutdown()
        desktops.shutdown()
    }

    // MARK: Showing

    /// Shows a notification, unless there are too many; `respond` gets what became of the
    /// notification.
    func show(_ message: PushMessage, respond: (@LoopActor (NotifyResult) -> Void)? = nil) {
        let owner = home(message)
        let message = message.offering(message.category.flatMap { owner?.category($0) })
        let id = message.homeID ?? ""
        let effects =
            message.sender == .person
            ? [.show(message)] : rates[id, default: ShowRate()].offer(message, at: clock.now())
        if let respond {
            awaited.append((message, respond))
            if awaited.count > Bound.waiters { self.respond(awaited[0].message, .folded) }
        }
        performRateEffects(effects, id)
    }

    /// Whether a person may have one shown now.
    func admitsOneOfAPerson() -> Bool { personsRate.admitsOne(at: clock.now()) }

    /// Takes away what has this tag, also if it is not shown yet.
    func clear(tag: String) {
        for id in rates.keys {
            performRateEffects(rates[id]?.clear(tag: tag, at: clock.now()) ?? [], id)
        }
        takeAway(tag)
    }

    private func rateWoke() {
        rateWakes = [:]
        for id in rates.keys { performRateEffects(rates[id]?.timer(at: clock.now()) ?? [], id) }
    }

    private func performRateEffects(_ effects: [ShowRate.Effect], _ id: String) {
        for effect in effects {
            switch effect {
            case .show(let message):
                // At once: how long its picture takes is nobody's business.
                if message.wantsReceipt { answers.fire(message) { .received($0, $1) } }
                pictures.show(message)
            case .folded(let message):
                history.add(message, .folded, at: clock.now().unixTime)
                respond(message, .folded)
            case .dropped(let message): respond(message, .replaced)
            case .wake(let at):
                rateWakes[id] = at
                rateTimer.set(at: rateWakes.values.min())
            case .summarize(let summary): hand(.summary(summary, id), nil)
            case .withdraw: takeAway(PushMessage.summaryTag(id))
            }
        }
    }

    private func handlePictureEvent(_ event: PictureQueue.Event) {
        switch event {
        case .show(let message, let picture): hand(message, picture)
        case .dropped(let message): respond(message, .replaced)
        }
    }

    /// Takes away what a desktop has, or is about to have.
    private func takeAway(_ tag: String) {
        pictures.drop(tag: tag)
        desktops.clear(tag: tag)
    }

    private func hand(_ message: PushMessage, _ picture: String?) {
        if let absence = desktops.show(message, picture) {
            handleNotifierEvent(.failed(message, absence), on: nil)
        }
    }

    // MARK: What becomes of it

    private func handleDesktopsEvent(_ event: SessionDesktops.Event) {
        switch event {
        case .told(let event, let desktop): handleNotifierEvent(event, on: desktop)
        case .attended:
            reviewLeft()
            answers.review()
        case .answeredLate(let message):
            answers.tellExpired(
                message.heading.map { "to “\($0)”" } ?? "to a notification", home(message))
        }
    }

    func handleNotifierEvent(_ event: NotifierEvent, on desktop: (any Desktop)?) {
        switch event {
        case .shown(let message):
            shown += 1
            // The messages of a summary are in the history already.
            if !rates.keys.contains(where: { message.tag == PushMessage.summaryTag($0) }) {
                history.add(
                    message, desktop == nil ? .journal : .desktop, at: clock.now().unixTime)
            }
            if desktop != nil { desktopProblem = nil }
            let problem = desktop == nil ? desktopProblem ?? "no desktop" : nil
            respond(message, desktop == nil ? .journal : .desktop, problem)
            settled(message)
        case .failed(let message, let reason):
            let reason = reason.bounded(Bound.reason)
            if desktopProblem != reason {
                Log.info("no desktop shows notifications: \(reason)")
            }
            desktopProblem = reason
            headless.announceMessage(message)
        case .chosen(let button, let reply, let message):
            history.note(button: button, of: message)
            respond(message, .desktop)
            if let desktop { answers.chosen(button, reply, message, on: desktop) }
        case .clicked(let message):
            respond(message, .desktop)
            if let link = message.opens {
                desktop.map { answers.open(link, from: message, on: $0) }
            }
        case .dismissed(let message):
            respond(message, .desktop)
            answers.fire(message) { .cleared($0, $1) }
        case .gone(let message): respond(message, .replaced)
        }
    }

    /// Tells the waiter how the notification ended. Every end of a notification comes here, so no
    /// waiter is kept forever.
    private func respond(
        _ message: PushMessage, _ outcome: NotifyResult.Outcome, _ problem: String? = nil
    ) {
        guard let index = awaited.firstIndex(where: { $0.message == message }) else { return }
        let waiter = awaited.remove(at: index)
        let remarks = waiter.message.problems
        waiter.respond(NotifyResult(outcome, problem: problem, remarks: remarks))
    }

    // MARK: From one daemon to the next

    /// Shows what was left, once there is a desktop, or will be none.
    private func reviewLeft() {
        guard !pictures.left.isEmpty else { return leftTimer.cancel() }
        guard desktops.isSettled else { return leftTimer.set(at: desktops.settledAt) }
        leftTimer.cancel()
        pictures.handLeft()
    }

    /// The daemon is about to end: shows what waits for its turn, and without their pictures what
    /// waits for them.
    ///
    /// - Parameter done: called once, when a desktop or the journal has them all, or has had its time.
    func hurry(_ done: @escaping @LoopActor () -> Void) {
        let offered = rates.keys.flatMap { rates[$0]?.takeWaiting() ?? [] }
        unsettled = offered + pictures.messages
        guard !unsettled.isEmpty else { return done() }
        whenSettled = done
        hurryTimer.set(at: clock.now().uptime + Self.farewell)
        pictures.giveUp()
        for message in offered { hand(message, nil) }
    }

    /// A desktop or the journal has it.
    private func settled(_ message: PushMessage) {
        guard let index = unsettled.firstIndex(of: message) else { return }
        unsettled.remove(at: index)
        if unsettled.isEmpty { endHurry() }
    }

    private func endHurry() {
        hurryTimer.cancel()
        let done = whenSettled
        (whenSettled, unsettled) = (nil, [])
        done?()
    }
}

/// State of the desk at one moment, as far as people may know that state.
struct DeskState: Sendable {
    /// Number of notifications that were shown, by whichever carrier.
    let shown: Int
    /// Number of notifications that were folded into a summary.
    let folded: Int
    /// Reason why the desktop did not show the last notification.
    let desktopProblem: String?
    /// Whether there may be a desktop on the daemon's own session bus.
    let hasOwnDesktop: Bool
    /// The session helpers that are there.
    let helpers: [StatusReport.Push.Helper]
    /// The reason why no helper shows notifications; `nil` while a helper does.
    let absence: String?
}

extension PushMessage {
    /// - Parameter id: of the home.
    fileprivate static func summaryTag(_ id: String) -> String { tag("homing.folded", of: id) }

    /// Message in place of those that were too many.
    static func summary(_ summary: ShowRate.Summary, _ id: String) -> PushMessage {
        let noun = summary.count == 1 ? "notification" : "notifications"
        return PushMessage(
            message: summary.lines.joined(separator: "\n"), title: "\(summary.count) more \(noun)",
            tag: summaryTag(id), urgency: summary.isCritical ? .critical : .normal, sound: .silent,
            sender: .homing)
    }
}
