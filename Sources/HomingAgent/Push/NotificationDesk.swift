internal import HomeAssistantAPI
internal import HomingBase
internal import HomingConfiguration
internal import HomingHTTP
internal import HomingNotifications
internal import HomingRuntime

/// Shows notifications: on the desktop where there is one, else in the journal and by the hook. What
/// people do with them is in `NotificationDesk+Answers`.
@LoopActor final class NotificationDesk {
    /// What became of a notification that was to be shown on somebody's wish.
    enum Outcome: Equatable {
        case desktop
        /// No desktop shows it; why.
        case journal(String)
        /// There were too many at once.
        case folded
        /// Another one took its place, or it was cleared, before it was shown.
        case replaced
    }

    let pipeline: Pipeline
    let runner = CommandRunner()
    let answers: AnswerWatch
    /// On this daemon's own session bus; a service of the system has none.
    private(set) lazy var own: LocalDesktop = LocalDesktop(
        runner: runner, clock: pipeline.clock
    ) { [weak self] event in
        guard let self else { return }
        self.told(event, on: self.own)
    }
    let helpers: SessionDesktops
    private lazy var headless = Headless(pipeline: pipeline, runner: runner) { [weak self] in
        self?.told($0, on: nil)
    }
    let pictures: PictureQueue
    let categories: CategoryKeeper
    private var rate = ShowRate()
    /// Of those that people have shown: they fold nothing of Home Assistant's.
    private var personsRate = ShowRate()
    private lazy var rateTimer = WakeTimer(pipeline.clock) { [weak self] in self?.rateWoke() }
    private var awaited: [(message: PushMessage, respond: @LoopActor (Outcome) -> Void)] = []
    /// Why the desktop did not show the last one.
    private(set) var desktopProblem: String?
    /// How many were shown, by whichever way.
    private(set) var shown = 0

    var registration: Registration?
    private(set) var actionExpiry: Seconds
    var held: HeldAnswers
    private(set) lazy var heldTimer = WakeTimer(pipeline.clock) { [weak self] in self?.reviewHeld()
    }
    /// Uptime until which the helpers of an earlier daemon may come back.
    var leftUntil: Seconds = 0
    private(set) lazy var leftTimer = WakeTimer(pipeline.clock) { [weak self] in self?.reviewLeft()
    }
    /// Answers that expired before there was a desktop to tell it on.
    var expiredEarly: [String] = []
    /// What has to be shown before the daemon ends, and what then follows.
    var unsettled: [PushMessage] = []
    var whenSettled: (@LoopActor () -> Void)?
    private(set) lazy var hurryTimer = WakeTimer(pipeline.clock) { [weak self] in self?.endHurry() }

    /// - Parameter folder: that a reboot empties.
    init(pipeline: Pipeline, configuration: Configuration, folder: String) {
        self.pipeline = pipeline
        answers = AnswerWatch(pipeline: pipeline)
        categories = CategoryKeeper(clock: pipeline.clock)
        helpers = SessionDesktops(folder: folder, clock: pipeline.clock)
        pictures = PictureQueue(folder: folder)
        held = HeldAnswers(folder: folder)
        actionExpiry = configuration.push.actionExpiry
        helpers.actionExpiry = actionExpiry
        answers.expired = { [weak self] in self?.tellExpired($0) }
        pictures.hand = { [weak self] in self?.hand($0, $1) }
        pictures.dropped = { [weak self] in self?.respond($0, .replaced) }
        helpers.deliver = { [weak self] in self?.told($0, on: $1) }
        helpers.attended = { [weak self] in
            self?.reviewLeft()
            self?.reviewHeld()
        }
        helpers.answeredLate = { [weak self] message in
            self?.tellExpired(message.title.map { "to “\($0)”" } ?? "to a notification")
        }
        headless.apply(configuration, isOfUser: own.isExpected)
    }

    func adopt(_ registration: Registration?, _ gate: TokenGate?, over client: HTTPClient) {
        self.registration = registration
        pictures.fetcher.use(gate, client)
        categories.use(gate, client)
    }

    func apply(_ configuration: Configuration) {
        actionExpiry = configuration.push.actionExpiry
        helpers.actionExpiry = actionExpiry
        headless.apply(configuration, isOfUser: own.isExpected)
    }

    /// The loop's timers have stood still.
    func resume() {
        for timer in timers { timer.rearm() }
        helpers.resume()
    }

    func shutdown() {
        for timer in timers { timer.cancel() }
        pictures.shutdown()
        own.shutdown()
    }

    private var timers: [WakeTimer] {
        [rateTimer, heldTimer, leftTimer, hurryTimer, answers.timer, categories.timer]
    }

    /// How many were folded into a summary.
    var folded: Int { rate.total }

    // MARK: Showing

    /// Shows it, unless there are too many.
    func show(_ message: PushMessage, respond: (@LoopActor (Outcome) -> Void)? = nil) {
        let message = message.offering(message.category.flatMap { categories[$0] })
        let effects =
            message.sender == .person
            ? [.show(message)] : rate.offer(message, at: pipeline.clock.now())
        if let respond {
            awaited.append((message, respond))
            if awaited.count > Bound.waiters { awaited.removeFirst().respond(.folded) }
        }
        perform(effects)
    }

    /// Whether a person may have one shown now.
    func admitsOneOfAPerson() -> Bool { personsRate.admitsOne(at: pipeline.clock.now()) }

    private func rateWoke() { perform(rate.timer(at: pipeline.clock.now())) }

    /// Takes away what was folded with this tag, or waits for its turn.
    func clearOffered(tag: String) { perform(rate.clear(tag: tag, at: pipeline.clock.now())) }

    /// Those that wait for their turn, which wait no longer.
    func takeOffered() -> [PushMessage] { rate.takeWaiting() }

    private func perform(_ effects: [ShowRate.Effect]) {
        for effect in effects {
            switch effect {
            case .show(let message):
                // At once: how long its picture takes is nobody's business.
                if message.wantsReceipt { fire(message) { .received($0, $1) } }
                pictures.show(message)
            case .folded(let message): respond(message, .folded)
            case .dropped(let message): respond(message, .replaced)
            case .wake(let at): rateTimer.set(at: at)
            case .summarize(let summary): hand(.summary(summary), nil)
            case .withdraw: take(away: PushMessage.summaryTag)
            }
        }
    }

    func told(_ event: NotifierEvent, on desktop: (any Desktop)?) {
        switch event {
        case .shown(let message):
            shown += 1
            if desktop != nil { desktopProblem = nil }
            respond(message, desktop == nil ? .journal(desktopProblem ?? "no desktop") : .desktop)
            settled(message)
        case .failed(let message, let reason):
            if desktopProblem != reason.bounded(Bound.reason) {
                Log.info("no desktop shows notifications: \(reason)")
            }
            desktopProblem = reason.bounded(Bound.reason)
            headless.tell(message)
        case .chosen(let button, let reply, let message):
            respond(message, .desktop)
            if let desktop { chosen(button, reply, message, on: desktop) }
        case .clicked(let message):
            respond(message, .desktop)
            if let link = message.opens { desktop.map { open(link, from: message, on: $0) } }
        case .dismissed(let message):
            respond(message, .desktop)
            fire(message) { .cleared($0, $1) }
        case .gone(let message): respond(message, .replaced)
        }
    }

    /// Tells the waiter how the notification ended. Every end of a notification comes here, so no
    /// waiter is kept for ever.
    private func respond(_ message: PushMessage, _ outcome: Outcome) {
        guard let index = awaited.firstIndex(where: { $0.message == message }) else { return }
        awaited.remove(at: index).respond(outcome)
    }
}

extension PushMessage {
    fileprivate static let summaryTag = "homing.folded"

    /// In place of those that were too many.
    static func summary(_ summary: ShowRate.Summary) -> PushMessage {
        var draft = Draft()
        draft.title =
            summary.count == 1 ? "1 more notification" : "\(summary.count) more notifications"
        draft.message = summary.lines.joined(separator: "\n")
        draft.tag = summaryTag
        draft.urgency = summary.isCritical ? .critical : .normal
        draft.sound = .silent
        draft.sender = .homing
        return PushMessage(draft)
    }
}
