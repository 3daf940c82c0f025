internal import HomingControl
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
        /// Number of answers that have come; of a sticky notification alone.
        var answers = 0
    }

    /// Notifications that are remembered; of more, the answers to the oldest are nothing.
    static let entryLimit = 32
    /// Seconds in which a helper says that a notification is shown, or why not.
    static let patience: Seconds = 10
    /// Seconds in which it says that a deed is done: logind is asked twice, for 5 s each.
    static let deedPatience: Seconds = 15
    /// Seconds in which a helper is back after the daemon was started: it tries every 30.
    static let returnPatience: Seconds = 60
    /// Answers that a sticky notification takes: its user must not fill the outbox with one.
    static let answersLimit = 100
    /// Answers whose text or page may be asked for.
    static let answeredLimit = 32
    /// Bytes of a handle. No desktop gives a longer handle.
    static let handleLimit = 64
    /// Bytes that may wait for a helper: several pictures.
    private static let waitingLimit = 8 << 20

    let user: UInt32
    private(set) var entries: [Entry]
    /// The helper's version, while it is there.
    private(set) var version: String?
    private let clock: any Clockwork
    private unowned let owner: SessionDesktops
    private var client: OpenRequest?
    private var answered: [(message: PushMessage, key: String)] = []
    private var deadlines: [String: Seconds] = [:]
    private lazy var timer = WakeTimer(clock) { [weak self] in self?.review() }
    private var questions: [Int: @LoopActor (DesktopReport?) -> Void] = [:]
    /// Uptimes at which deeds that were asked for count as not done.
    private var deedDeadlines: [Int: Seconds] = [:]
    /// A helper may answer what an earlier daemon asked: that must not be taken for what this one
    /// has asked.
    private var lastNumber = Int.random(in: 0..<1 << 40)

    /// - Parameter entries: what an earlier daemon showed there, or was about to.
    init(user: UInt32, entries: [Entry], clock: any Clockwork, owner: SessionDesktops) {
        self.user = user
        self.entries = entries
        self.clock = clock
        self.owner = owner
        allow(Self.returnPatience)
    }

    /// Whether its helper is there.
    var isAttended: Bool { client != nil }

    func isAttended(by connection: LineConnection) -> Bool {
        client?.connection === connection
    }

    /// Returns the place where an answer to this message is given.
    func place(of message: PushMessage) -> AnswerPlace {
        AnswerPlace(user: user, key: answered.last { $0.message == message }?.key)
    }

    // MARK: The helper

    /// A helper of this user has come, in place of an earlier one if there is one. What it does not
    /// show any more it is given again, quietly; what nobody knows any more it closes.
    func attend(_ greeting: ControlCommand.AttendDesktop, _ client: OpenRequest) {
        if let old = self.client {
            old.order(.superseded)
            left(old.connection)
            old.connection.close()
        }
        self.client = client
        version = SafeText.line(greeting.version, limit: 32)
        client.connection.allowWaiting(Self.waitingLimit)
        client.connection.atEnd { [weak self] in self?.left(client.connection) }
        for report in greeting.reports { _ = acceptDesktopReport(report) }
        client.order(.welcome)
        for entry in entries where greeting.shown.contains(entry.key) && !entry.isShown {
            _ = acceptDesktopReport(.shown(key: entry.key, handle: nil))
        }
        let known = Set(entries.map(\.key))
        for key in greeting.shown where !known.contains(key) { client.order(.close(key: key)) }
        for entry in entries where !greeting.shown.contains(entry.key) {
            var again = DesktopNotification(entry.message, key: entry.key, handle: entry.handle)
            again.isSilent = again.isSilent || entry.isShown
            client.order(.show(notification: again))
        }
        allow(Self.patience)
    }

    /// Gives notifications that are not shown yet this time from now on, and no more than they had.
    private func allow(_ patience: Seconds) {
        let until = clock.now().uptime + patience
        for entry in entries where !entry.isShown {
            deadlines[entry.key] = min(until, deadlines[entry.key] ?? until)
        }
        setTimer()
    }

    private func left(_ connection: LineConnection) {
        guard client?.connection === connection else { return }
        client = nil
        version = nil
        let open = questions
        questions = [:]
        deedDeadlines = [:]
        for answer in open.values { answer(nil) }
    }

    /// The user has no session here any more: what was shown there is nobody's.
    func end() {
        let gone = entries
        entries = []
        deadlines = [:]
        owner.changed()
        let connection = client?.connection
        connection.map(left)
        connection?.close()
        for entry in gone {
            let lost = NotifierEvent.failed(entry.message, "the session has ended")
            reportNotifierEvent(entry.isShown ? .gone(entry.message) : lost)
        }
    }

    /// The machine slept: what was asked before is not late for that.
    func resume() {
        let until = clock.now().uptime + (isAttended ? Self.patience : Self.returnPatience)
        deadlines = deadlines.mapValues { max($0, until) }
        deedDeadlines = deedDeadlines.mapValues { max($0, until) }
        setTimer()
    }

    private func reportNotifierEvent(_ event: NotifierEvent) {
        owner.passOnNotifierEvent(event, on: self)
    }

    // MARK: Orders

    func show(_ message: PushMessage, image: String?) {
        let key = RandomToken.hex(bytes: 16)
        entries.append(Entry(key: key, message: message))
        makeRoom()
        deadlines[key] = clock.now().uptime + Self.patience
        setTimer()
        let picture = image.flatMap(DesktopNotification.picture)
        client?.order(.show(notification: DesktopNotification(message, key: key, picture: picture)))
    }

    /// Forgets as many as do not fit beside the newest.
    private func makeRoom() {
        var pushedOut: [Entry] = []
        while entries.count > Self.entryLimit
            || entries.count > 1 && owner.size > Bound.shownNotifications
        {
            pushedOut.append(entries.remove(at: leastWorth))
        }
        owner.changed()
        for entry in pushedOut where deadlines.removeValue(forKey: entry.key) != nil {
            reportNotifierEvent(.failed(entry.message, "the session helper does not keep up"))
        }
    }

    /// Index of the entry to give way: people's before Home Assistant's, the old before the new.
    private var leastWorth: Int { entries.firstIndex { $0.message.sender == .person } ?? 0 }

    /// Takes away what has this tag, also if the helper is away.
    func clear(tag: String) {
        let cleared = entries.filter { $0.message.tag == tag }
        guard !cleared.isEmpty else { return }
        entries.removeAll { $0.message.tag == tag }
        owner.changed()
        client?.order(.clear(tag: tag))
        for entry in cleared {
            deadlines[entry.key] = nil
            reportNotifierEvent(.gone(entry.message))
        }
    }

    // MARK: Other requests to the helper

    func promptForReply(
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
    /// - Parameter completion: gets the reason if it is not done, or not known to be.
    func requestDeed(_ deed: SessionDeed, completion: @escaping @LoopActor (String?) -> Void) {
        guard let client else { return completion("the session helper has gone") }
        let number = expect { report in
            if case .done(_, let problem)? = report { return completion(problem) }
            completion("the session helper has not confirmed the command")
        }
        let until = clock.now().uptime + Self.deedPatience
        deedDeadlines[number] = until
        setTimer()
        client.order(.perform(number: number, deed: deed, until: until))
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
        if questions.count > Self.answeredLimit, let oldest = questions.keys.min() {
            settle(oldest, nil)
        }
        return lastNumber
    }

    /// Gives the answer to what was asked; whether it was asked.
    @discardableResult private func settle(_ number: Int, _ report: DesktopReport?) -> Bool {
        deedDeadlines[number] = nil
        guard let answer = questions.removeValue(forKey: number) else { return false }
        answer(report)
        return true
    }

    // MARK: What the helper tells

    /// Takes what the helper tells. Whether it was something that this user may tell.
    func acceptDesktopReport(_ report: DesktopReport) -> Bool {
        let report = report.cleaned
        switch report {
        case .shown(let key, let handle): return shown(key, handle)
        case .failed(let key, let reason):
            guard let entry = remove(key) else { return false }
            reportNotifierEvent(
                entry.isShown ? .gone(entry.message) : .failed(entry.message, reason))
        case .chosen(let key, let button, let reply, let age):
            guard let entry = entries.first(where: { $0.key == key }),
                entry.message.actions.indices.contains(button)
            else { return false }
            answer(entry, .chosen(button: button, reply: reply, entry.message), age)
        case .clicked(let key, let age):
            guard let entry = entries.first(where: { $0.key == key }) else { return false }
            answer(entry, .clicked(entry.message), age)
        case .dismissed(let key):
            guard let entry = remove(key) else { return false }
            reportNotifierEvent(.dismissed(entry.message))
        case .gone(let key):
            guard let entry = remove(key) else { return false }
            reportNotifierEvent(.gone(entry.message))
        case .asked(let number, _, _), .done(let number, _):
            return settle(number, report)
        }
        return true
    }

    private func shown(_ key: String, _ handle: String?) -> Bool {
        deadlines[key] = nil
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return false }
        let isFirst = !entries[index].isShown
        entries[index].isShown = true
        entries[index].handle = handle?.whole(within: Self.handleLimit)
        let message = entries[index].message
        owner.changed()
        if isFirst { reportNotifierEvent(.shown(message)) }
        return true
    }

    /// - Parameter age: seconds since the answer was given, by the helper's word.
    private func answer(_ entry: Entry, _ event: NotifierEvent, _ age: Double) {
        countAnswer(entry)
        remember(entry.message, entry.key)
        if owner.isTooOld(age, entry.message) {
            owner.late(entry.message)
        } else {
            reportNotifierEvent(event)
        }
    }

    /// Keeps a notification whose text or page may be asked for.
    func remember(_ message: PushMessage, _ key: String) {
        answered.append((message, key))
        while answered.count > 1,
            answered.count > Self.answeredLimit
                || answered.lazy.map(\.message).size > Bound.answeredNotifications
        {
            answered.removeFirst()
        }
    }

    /// An answer ends a notification, and so does the last one that a sticky one takes.
    private func countAnswer(_ entry: Entry) {
        let isLast = entry.answers + 1 >= Self.answersLimit
        guard entry.message.isSticky, !isLast,
            let index = entries.firstIndex(where: { $0.key == entry.key })
        else {
            _ = remove(entry.key)
            if entry.message.isSticky { client?.order(.close(key: entry.key)) }
            return
        }
        entries[index].answers += 1
        owner.changed()
    }

    private func remove(_ key: String) -> Entry? {
        deadlines[key] = nil
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        owner.changed()
        return entry
    }

    /// Hands on what the helper was silent about; a helper that is there and silent hangs.
    private func review() {
        let now = clock.now().uptime
        let dueKeys = deadlines.filter { $0.value <= now }.map(\.key)
        let due = dueKeys.compactMap { remove($0) }
        for entry in due {
            reportNotifierEvent(.failed(entry.message, "the session helper does not answer"))
        }
        let deeds = deedDeadlines.filter { $0.value <= now }.map(\.key)
        for number in deeds { settle(number, nil) }
        if !due.isEmpty { client?.connection.close() }
        setTimer()
    }

    private func setTimer() {
        timer.set(at: (Array(deadlines.values) + Array(deedDeadlines.values)).min())
    }
}

extension OpenRequest {
    func order(_ order: DesktopOrder) { stream(order) }
}

extension DesktopReport {
    /// Bytes of a reason for people.
    private static let reasonLimit = 200

    /// With its reasons as they may be logged and shown. Texts for Home Assistant are bounded by
    /// `ActionPolicy`.
    fileprivate var cleaned: DesktopReport {
        func line(_ text: String) -> String { SafeText.line(text, limit: Self.reasonLimit) }
        return switch self {
        case .failed(let key, let reason): .failed(key: key, reason: line(reason))
        case .asked(let number, let text, let problem):
            .asked(number: number, text: text, problem: problem.map(line))
        case .done(let number, let problem): .done(number: number, problem: problem.map(line))
        case .shown, .chosen, .clicked, .dismissed, .gone: self
        }
    }
}

extension DesktopNotification {
    /// The content of a picture's file, as it goes to another user's session.
    static func picture(_ path: String) -> String? {
        let limit = PictureFolder.pictureLimit + 1
        return (try? AtomicFile.read(path, limit: limit)).map { Base64.text(of: $0) }
    }
}
