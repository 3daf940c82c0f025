internal import HomingBus
public import HomingRuntime

/// The desktop on this process's own session bus. Its notification server,
/// `org.freedesktop.Notifications`, shows one after the other, as a replacement must know the id of
/// what it replaces.
///
/// What the server can do is asked whenever another one takes over. Where none is, a notification
/// fails, and the next one tries again (the bus may start a server for it).
@LoopActor public final class LocalDesktop: Desktop {
    private enum Job {
        case show(PushMessage, image: String?, replacing: String?)
        case close((PushMessage) -> Bool)

        var message: PushMessage? {
            if case .show(let message, _, _) = self { message } else { nil }
        }
    }

    /// Notifications that may wait for the server, of `Bound.waitingNotifications` together; more fail.
    static let queueLimit = 64

    /// Seconds a program may take to start another.
    private static let patience = 10.0

    /// Whether there may be one: a service of the system has none.
    public let isExpected: Bool
    private let deliver: @LoopActor (NotifierEvent) -> Void
    private let runner: CommandRunner
    private let prompt = ReplyPrompt()
    private var service: BusService?
    private var capabilities: ServerCapabilities?
    /// The bus's own name of the server.
    private var server: String?
    private var shown = ShownNotifications()
    private var queue: [Job] = []
    private var isBusy = false
    private let clock: any Clockwork
    private var timers: [any Alarm] = []

    /// - Parameters:
    ///   - address: of the bus; by default that of `DBUS_SESSION_BUS_ADDRESS`, else the one in
    ///     `XDG_RUNTIME_DIR`.
    ///   - runner: starts programs.
    ///   - deliver: gets what becomes of notifications.
    public init(
        address: String? = nil, runner: CommandRunner, clock: any Clockwork,
        deliver: @escaping @LoopActor (NotifierEvent) -> Void
    ) {
        self.runner = runner
        self.clock = clock
        self.deliver = deliver
        isExpected = address != nil || Bus.sessionAddress() != nil
        let name = "org.freedesktop.Notifications"
        service = BusService(
            on: Bus(address.map { .at($0) } ?? .session, clock: clock), name: name,
            path: "/org/freedesktop/Notifications", interface: name
        ) { [weak self] in self?.handle($0) }
    }

    public func place(of message: PushMessage) -> AnswerPlace { AnswerPlace() }

    public func promptForReply(
        _ question: String, button: String?, about message: PushMessage,
        completion: @escaping @LoopActor (ReplyPrompt.Outcome) -> Void
    ) { prompt.openReplyWindow(question, button: button, completion: completion) }

    /// Opens it in the user's browser. The browser outlives us: see `DesktopProgram`.
    public func open(
        _ address: String, from message: PushMessage,
        failed: @escaping @LoopActor (String) -> Void
    ) {
        guard WebAddress(address) != nil else { return failed("it is no web address") }
        guard let words = DesktopProgram.opener(of: address) else {
            return failed("neither xdg-open nor gio is installed")
        }
        let command = Command(DesktopProgram.detached(words), timeout: Self.patience)
        runner.run(command) { problem in
            if let problem { failed("\(words[0]) \(problem)") }
        }
    }

    public func show(_ message: PushMessage, image: String?) {
        show(message, image: image, replacing: nil)
    }

    /// Shows it in place of what an earlier process showed, if that is on the screen still.
    ///
    /// - Parameter handle: what `handle(of:)` gave that process.
    public func show(_ message: PushMessage, image: String?, replacing handle: String?) {
        guard queue.count < Self.queueLimit,
            queue.lazy.compactMap(\.message).size + message.size <= Bound.waitingNotifications
        else {
            return deliver(.failed(message, "the notification server is too slow"))
        }
        queue.append(.show(message, image: image, replacing: handle))
        next()
    }

    public func clear(tag: String) { close { $0.tag == tag } }

    /// Takes away the newest of these that is shown.
    public func close(where condition: @escaping (PushMessage) -> Bool) {
        guard queue.count < Self.queueLimit * 2 else { return }
        queue.append(.close(condition))
        next()
    }

    /// A word by which a later process can take it over: the server's id of the message and which
    /// server that is; `nil` if it is not shown.
    public func handle(of message: PushMessage) -> String? {
        guard let server, let id = shown.id(where: { $0 == message }) else { return nil }
        return "\(id)@\(server)"
    }

    /// The id in a handle, if its server is still the one that is there.
    private func id(in handle: String?) -> UInt32? {
        let parts = handle?.split(separator: "@", maxSplits: 1) ?? []
        guard parts.count == 2, let server, parts[1] == server else { return nil }
        return UInt32(parts[0])
    }

    /// Lets go of the bus; what is shown stays, and nothing more is told of it.
    public func shutdown() {
        prompt.shutdown()
        service?.close()
        service = nil
        queue = []
        timers = []
    }

    // MARK: One after the other

    private func next() {
        guard !isBusy, let job = queue.first, let service else { return }
        isBusy = true
        queue.removeFirst()
        switch job {
        case .close(let condition): close(condition, service)
        case .show(let message, let image, let handle):
            guard let capabilities else {
                return requestCapabilities(service, then: message, image, handle)
            }
            notify(message, image, handle, capabilities, service)
        }
    }

    private func done() {
        isBusy = false
        next()
    }

    private func close(_ condition: (PushMessage) -> Bool, _ service: BusService) {
        guard let id = shown.id(where: condition) else { return done() }
        service.call("CloseNotification", [.uint32(id)]) { [weak self] _ in self?.done() }
    }

    private func requestCapabilities(
        _ service: BusService, then message: PushMessage, _ image: String?, _ handle: String?
    ) {
        service.call("GetCapabilities") { [weak self] result in
            guard let self, let service = self.service else { return }
            switch result {
            case .failure(let error):
                self.deliver(.failed(message, error.reason))
                self.done()
            case .success(let reply):
                let capabilities = ServerCapabilities(
                    names: Set(reply.first?.list?.compactMap(\.text) ?? []))
                self.capabilities = capabilities
                self.notify(message, image, handle, capabilities, service)
            }
        }
    }

    private func notify(
        _ message: PushMessage, _ image: String?, _ handle: String?,
        _ capabilities: ServerCapabilities, _ service: BusService
    ) {
        let replaced = shown.id(tag: message.tag) ?? id(in: handle)
        let request = NotificationRequest(
            message, image: image, isReplacement: replaced != nil, capabilities)
        let arguments: [BusArgument] = [
            .string(NotificationRequest.application), .uint32(replaced ?? 0), .string(""),
            .string(request.summary), .string(request.body), .strings(request.actions),
            .dictionary(request.hints), .int32(request.timeout),
        ]
        service.call("Notify", arguments) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let reply):
                self.deliverNotifierEvents(
                    self.shown.shown(
                        message, as: reply.first?.uint32 ?? 0, replyAction: request.replyAction,
                        replaced: replaced))
            case .failure(let error):
                self.deliver(.failed(message, error.reason))
            }
            self.done()
        }
    }

    // MARK: What the server says

    private func handle(_ event: BusService.Event) {
        switch event {
        case .appeared(let name): server = name
        case .vanished:
            server = nil
            capabilities = nil
            deliverNotifierEvents(shown.serverGone())
        case .signal(let name, let arguments):
            guard let id = arguments.first?.uint32 else { return }
            signalled(name, id, arguments)
        }
    }

    private func signalled(_ name: String, _ id: UInt32, _ arguments: [BusValue]) {
        switch name {
        case "ActionInvoked":
            guard let key = arguments.dropFirst().first?.text else { return }
            deliverNotifierEvents(shown.invoked(id, key, reply: nil, at: clock.now()))
        case "NotificationReplied":
            guard case .text(let text)? = arguments.dropFirst().first else { return }
            let key = NotificationRequest.replyKey
            deliverNotifierEvents(shown.invoked(id, key, reply: text, at: clock.now()))
        case "NotificationClosed":
            let closed = shown.closed(
                id, reason: arguments.dropFirst().first?.uint32 ?? 4, at: clock.now())
            deliverNotifierEvents(closed.events)
            if closed.wake != nil { wakeLater() }
        default: break
        }
    }

    private func wakeLater() {
        timers.append(
            clock.once(after: ShownNotifications.grace) { [weak self] in
                guard let self else { return }
                self.timers.removeFirst()
                self.deliverNotifierEvents(self.shown.timer(at: clock.now()))
            })
    }

    private func deliverNotifierEvents(_ events: [NotifierEvent]) {
        for event in events { deliver(event) }
    }
}

extension GLibError {
    /// Reason why a notification server did not answer, for people.
    fileprivate var reason: String {
        isServiceMissing ? "no notification server is running" : description
    }
}
