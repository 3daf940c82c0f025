internal import Glibc
internal import HomingBus
internal import HomingControl
internal import HomingNotifications
public import HomingRuntime

/// Shows what a daemon of another user wants shown, on the desktop of the session it runs in, and
/// tells the daemon what the person does with it.
///
/// The daemon comes and goes; what is on the screen stays, and answers wait for the next one.
@LoopActor public final class SessionHelper {
    /// The system's daemon.
    public nonisolated static let socket = "/run/homing/control.sock"
    /// Seconds until a daemon is tried again that has too many who wait to be let in.
    private static let crowdPause: Seconds = 0.2

    private let socket: String
    private let clock: any Clockwork
    private let ended: @LoopActor () -> Void
    private var link: DesktopLink?
    private var isWelcome = false
    private var retry: (any Alarm)?
    private var pacer = Pacer(.doubling(first: 1, longest: 30))
    private var told = ""
    private var memory = SessionMemory()
    private let runner = CommandRunner()
    private lazy var logind = LogindControl(bus: Bus(.system, clock: clock))
    private lazy var desktop = LocalDesktop(runner: runner, clock: clock) { [weak self] in
        self?.heard($0)
    }
    private let pictures = PictureFolder("\(Folders.runtime())/pictures")

    /// - Parameters:
    ///   - socket: of the daemon.
    ///   - ended: called when another helper has taken this one's place.
    public init(socket: String, clock: any Clockwork, ended: @escaping @LoopActor () -> Void) {
        self.socket = socket
        self.clock = clock
        self.ended = ended
    }

    /// Greets the daemon, now or when there is one.
    public func start() {
        retry = nil
        do throws(SystemError) {
            link = try DesktopLink(path: socket, greeting: memory.greeting(at: clock.now())) {
                [weak self] in self?.heard($0)
            }
        } catch {
            if error.number == EAGAIN { return tryAgain(after: Self.crowdPause) }
            reportHelperState("no daemon: \(error)")
            tryLater()
        }
    }

    /// Leaves; what is shown stays on the screen, for the next helper.
    public func shutdown() {
        retry = nil
        link?.close()
        link = nil
        desktop.shutdown()
        pictures.clear()
    }

    // MARK: The daemon

    private func tryLater() { tryAgain(after: pacer.failed(at: clock.now())) }

    private func tryAgain(after wait: Seconds) {
        retry = clock.retry(after: wait) { [weak self] in self?.start() }
    }

    /// Each state once, in the journal and for `systemctl --user status`.
    private func reportHelperState(_ state: String) {
        guard state != told else { return }
        told = state
        Log.info(state)
        ServiceManager.status(state)
    }

    private func heard(_ event: DesktopLink.Event) {
        switch event {
        case .order(let order): obey(order)
        case .refused(let error):
            reportHelperState("the daemon refuses: \(error.message)")
            // It keeps the connection of a user whom it trusts with all else, and says no more.
            link?.close()
            link = nil
            isWelcome = false
            tryLater()
        case .ended:
            link = nil
            if isWelcome { reportHelperState("the daemon has gone") }
            isWelcome = false
            tryLater()
        }
    }

    private func obey(_ order: DesktopOrder) {
        switch order {
        case .welcome:
            isWelcome = true
            pacer.succeeded()
            for report in memory.welcomed() { link?.report(report) }
            reportHelperState("shows notifications")
        case .superseded:
            reportHelperState("another helper shows notifications now")
            ended()
        case .show(let notification): show(notification)
        case .clear(let tag): desktop.clear(tag: tag)
        case .close(let key): desktop.close { $0.data == key }
        case .ask(let number, let key, let question, let button):
            showQuestion(number, key, question, button)
        case .open(let number, let key, let address): open(number, key, address)
        case .perform(let number, let deed, let until): performOrderedDeed(number, deed, until)
        }
    }

    private func show(_ notification: DesktopNotification) {
        guard memory.begin(notification.key) else { return }
        let picture = notification.picture.flatMap { Base64.bytes(of: $0) }
            .flatMap { pictures.store($0) }
        desktop.show(
            notification.shownMessage, image: picture, replacing: notification.handle)
    }

    private func showQuestion(_ number: Int, _ key: String, _ question: String, _ button: String?) {
        guard memory.permitsAsking(key) else {
            return report(.asked(number: number, text: nil, problem: nil))
        }
        desktop.promptForReply(question, button: button, about: PushMessage(message: "")) {
            [weak self] outcome in
            switch outcome {
            case .text(let text):
                self?.report(.asked(number: number, text: ActionPolicy.reply(text), problem: nil))
            case .cancelled: self?.report(.asked(number: number, text: nil, problem: nil))
            case .unavailable:
                self?.report(.asked(number: number, text: nil, problem: "no program for it"))
            }
        }
    }

    private func open(_ number: Int, _ key: String, _ address: String) {
        guard memory.permitsOpening(key) else {
            return report(.done(number: number, problem: "no click arrived"))
        }
        desktop.open(address, from: PushMessage(message: "")) { [weak self] in
            self?.report(.done(number: number, problem: $0))
        }
    }

    private func performOrderedDeed(_ number: Int, _ deed: SessionDeed, _ until: Seconds) {
        guard clock.now().uptime < until else {
            return report(.done(number: number, problem: "it was asked too long ago"))
        }
        let completion: @LoopActor (String?) -> Void = { [weak self] in
            self?.report(.done(number: number, problem: $0))
        }
        switch deed {
        case .lock: logind.lock(completion: completion)
        case .suspend: logind.suspend(completion: completion)
        }
    }

    // MARK: The desktop

    /// The data of what it shows is the daemon's key, the ids of actions are their places.
    private func heard(_ event: NotifierEvent) {
        switch event {
        case .shown(let message):
            memory.show(message.data)
            report(.shown(key: message.data, handle: desktop.handle(of: message)))
        case .failed(let message, let reason):
            memory.end(message.data)
            report(.failed(key: message.data, reason: reason))
        case .chosen(let button, let reply, let message):
            memory.answer(message.data, stays: message.isSticky)
            report(
                .chosen(
                    key: message.data, button: button, reply: reply.map(ActionPolicy.reply), age: 0)
            )
        case .clicked(let message):
            memory.answer(message.data, stays: message.isSticky)
            report(.clicked(key: message.data, age: 0))
        case .dismissed(let message):
            memory.end(message.data)
            report(.dismissed(key: message.data))
        case .gone(let message):
            memory.end(message.data)
            report(.gone(key: message.data))
        }
    }

    private func report(_ report: DesktopReport) {
        if isWelcome, let link { return link.report(report) }
        memory.hold(report, at: clock.now())
    }
}
