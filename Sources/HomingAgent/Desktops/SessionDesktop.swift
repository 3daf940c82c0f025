internal import HomingBase
internal import HomingControl
internal import HomingCrypto
internal import HomingNotifications
internal import HomingRuntime
internal import HomingSocket

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
        /// How many have come; of a sticky one alone.
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
    var entries: [Entry]
    /// The helper's version, while it is there.
    private(set) var version: String?
    let clock: any Clockwork
    unowned let owner: SessionDesktops
    private(set) var client: OpenRequest?
    var answered: [(message: PushMessage, key: String)] = []
    var deadlines: [String: Seconds] = [:]
    private(set) lazy var timer = WakeTimer(clock) { [weak self] in self?.review() }
    var questions: [Int: @LoopActor (DesktopReport?) -> Void] = [:]
    /// Uptimes at which deeds that were asked for count as not done.
    var deedDeadlines: [Int: Seconds] = [:]
    /// A helper may answer what an earlier daemon asked: that must not be taken for what this one
    /// has asked.
    var lastNumber = Int.random(in: 0..<1 << 40)

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
        for report in greeting.reports { _ = take(report) }
        client.order(.welcome)
        for entry in entries where greeting.shown.contains(entry.key) && !entry.isShown {
            _ = take(.shown(key: entry.key, handle: nil))
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

    /// What is not shown yet has so long from now on, and no longer than it had.
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
            tell(entry.isShown ? .gone(entry.message) : lost)
        }
    }

    /// The machine slept: what was asked before is not late for that.
    func resume() {
        let until = clock.now().uptime + (isAttended ? Self.patience : Self.returnPatience)
        deadlines = deadlines.mapValues { max($0, until) }
        deedDeadlines = deedDeadlines.mapValues { max($0, until) }
        setTimer()
    }

    func tell(_ event: NotifierEvent) { owner.told(event, on: self) }

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
            tell(.failed(entry.message, "the session helper does not keep up"))
        }
    }

    /// What people have shown gives way to what Home Assistant has, the old to the new.
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
            tell(.gone(entry.message))
        }
    }
}

extension OpenRequest {
    func order(_ order: DesktopOrder) { stream(order) }
}
