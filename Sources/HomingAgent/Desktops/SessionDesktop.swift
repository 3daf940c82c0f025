internal import HomingControl
internal import HomingCore
internal import HomingCrypto
internal import HomingNotifications
internal import HomingRuntime

/// The desktop of a user at this machine, by the helper in their session.
///
/// The helper is believed no further than its user: it answers what that user was shown, by keys
/// that nobody else knows, and names buttons by their places.
@LoopActor final class SessionDesktop: Desktop {
    /// A notification on that desktop, or on its way there.
    struct Entry: Codable, Equatable {
        let key: String
        let message: PushMessage
        /// The helper's word for it, once it is shown.
        var handle: String?
        var isShown = false
    }

    /// Notifications that are remembered; of more, the answers to the oldest are nothing.
    static let entryLimit = 32
    /// Seconds in which a helper says that a notification is shown, or why not.
    static let patience: Seconds = 10
    /// Answers whose text or page may be asked for.
    static let answeredLimit = 32
    static let handleLimit = 64
    /// Bytes that may wait for a helper: several pictures.
    private static let waitingLimit = 8 << 20

    let user: UInt32
    var entries: [Entry]
    /// The helper's version, while it is there.
    private(set) var version: String?
    let clock: any Clockwork
    unowned let owner: SessionDesktops
    private(set) var client: ControlClientRequest?
    var answered: [(message: PushMessage, key: String)] = []
    var deadlines: [String: Seconds] = [:]
    private(set) lazy var timer = WakeTimer(clock) { [weak self] in self?.review() }
    var questions: [Int: @LoopActor (DesktopReport?) -> Void] = [:]
    private var lastNumber = 0

    /// - Parameter entries: what an earlier daemon showed there.
    init(user: UInt32, entries: [Entry], clock: any Clockwork, owner: SessionDesktops) {
        self.user = user
        self.entries = entries
        self.clock = clock
        self.owner = owner
    }

    /// Whether its helper is there.
    var isAttended: Bool { client != nil }

    func isAttended(by connection: ControlConnection) -> Bool {
        client?.connection === connection
    }

    // MARK: The helper

    /// A helper of this user has come, in place of an earlier one if there is one. What it does not
    /// show any more it is given again, quietly; what nobody knows any more it closes.
    func attend(_ greeting: ControlCommand.AttendDesktop, _ client: ControlClientRequest) {
        if let old = self.client {
            old.order(.superseded)
            left(old.connection)
            old.connection.close()
        }
        self.client = client
        version = String(greeting.version.prefix(32))
        client.connection.allowWaiting(Self.waitingLimit)
        client.connection.atEnd { [weak self] in self?.left(client.connection) }
        for report in greeting.reports { _ = take(report) }
        client.order(.welcome)
        let known = Set(entries.map(\.key))
        for key in greeting.shown where !known.contains(key) { client.order(.close(key: key)) }
        for entry in entries where !greeting.shown.contains(entry.key) {
            var again = DesktopNotification(entry.message, key: entry.key, handle: entry.handle)
            again.isSilent = again.isSilent || entry.isShown
            client.order(.show(notification: again))
        }
    }

    private func left(_ connection: ControlConnection) {
        guard client?.connection === connection else { return }
        client = nil
        version = nil
        let open = questions
        questions = [:]
        for answer in open.values { answer(nil) }
    }

    /// The user has no session here any more: what was shown there is nobody's.
    func end() {
        let gone = entries
        entries = []
        owner.changed()
        let connection = client?.connection
        connection.map(left)
        connection?.close()
        for entry in gone {
            let lost = NotifierEvent.failed(entry.message, "the session has ended")
            tell(entry.isShown ? .gone(entry.message) : lost)
        }
    }

    /// The loop's timers have stood still.
    func resume() { timer.rearm() }

    func tell(_ event: NotifierEvent) { owner.told(event, on: self) }

    // MARK: Orders

    func show(_ message: PushMessage, image: String?) {
        let key = RandomToken.hex(bytes: 16)
        entries.append(Entry(key: key, message: message))
        let pushedOut = entries.count > Self.entryLimit ? entries.removeFirst() : nil
        owner.changed()
        if let pushedOut, deadlines.removeValue(forKey: pushedOut.key) != nil {
            tell(.failed(pushedOut.message, "the session helper does not keep up"))
        }
        deadlines[key] = clock.now().uptime + Self.patience
        setTimer()
        let picture = image.flatMap(DesktopNotification.picture)
        client?.order(.show(notification: DesktopNotification(message, key: key, picture: picture)))
    }

    /// Takes away what has this tag, also if the helper is away.
    func clear(tag: String) {
        let cleared = entries.filter { $0.message.tag == tag }
        guard !cleared.isEmpty else { return }
        entries.removeAll { $0.message.tag == tag }
        owner.changed()
        client?.order(.clear(tag: tag))
        for entry in cleared {
            deadlines[entry.key] = nil
            tell(.gone(entry.message))
        }
    }

    func ask(
        _ question: String, button: String?, about message: PushMessage,
        completion: @escaping @LoopActor (ReplyPrompt.Outcome) -> Void
    ) {
        let isSent = order(about: message) { number, key in
            .ask(number: number, key: key, question: question, button: button)
        } answer: { report in
            guard case .asked(_, let text, let problem)? = report else {
                return completion(.cancelled)
            }
            completion(text.map { .text($0) } ?? (problem == nil ? .cancelled : .unavailable))
        }
        if !isSent { completion(.cancelled) }
    }

    func open(
        _ address: String, from message: PushMessage,
        failed: @escaping @LoopActor (String) -> Void
    ) {
        let isSent = order(about: message) { number, key in
            .open(number: number, key: key, address: address)
        } answer: { report in
            if case .done(_, let problem?)? = report { failed(problem) }
        }
        if !isSent { failed("the session helper has gone") }
    }

    /// Has the session locked, or the machine put to sleep by its user.
    ///
    /// - Parameter completion: gets the reason if it is not done.
    func perform(_ deed: SessionDeed, completion: @escaping @LoopActor (String?) -> Void) {
        guard let client else { return completion("the session helper has gone") }
        let number = expect { report in
            if case .done(_, let problem)? = report { return completion(problem) }
            completion("the session helper has gone")
        }
        client.order(.perform(number: number, deed: deed))
    }

    private func order(
        about message: PushMessage, _ order: (Int, String) -> DesktopOrder,
        answer: @escaping @LoopActor (DesktopReport?) -> Void
    ) -> Bool {
        guard let client, let key = answered.last(where: { $0.message == message })?.key else {
            return false
        }
        client.order(order(expect(answer), key))
        return true
    }

    private func expect(_ answer: @escaping @LoopActor (DesktopReport?) -> Void) -> Int {
        lastNumber += 1
        questions[lastNumber] = answer
        // A page that was opened is not told of: the oldest are let go.
        if questions.count > Self.answeredLimit { questions[lastNumber - Self.answeredLimit] = nil }
        return lastNumber
    }
}

extension ControlClientRequest {
    func order(_ order: DesktopOrder) { connection.stream(id, order) }
}
