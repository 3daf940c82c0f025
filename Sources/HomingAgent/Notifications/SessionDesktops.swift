internal import HomingControl
internal import HomingMachine
internal import HomingNotifications
internal import HomingRuntime

/// The desktops of those who sit at this machine, for a daemon that has none of its own.
@LoopActor final class SessionDesktops {
    private let clock: any Clockwork
    private let file: RuntimeFile<[Shown]>
    private var desktops: [UInt32: SessionDesktop] = [:]
    private var choice = DesktopChoice()

    /// Notifications on one user's desktop, which outlive this daemon.
    struct Shown: Codable, Equatable {
        let user: UInt32
        let entries: [SessionDesktop.Entry]
    }

    enum Event {
        /// Fate of a notification.
        case told(NotifierEvent, SessionDesktop)
        /// A helper has come.
        case attended
        /// The answer to this notification came too late.
        case answeredLate(PushMessage)
    }

    private let report: @LoopActor (Event) -> Void
    /// Sessions of the users who are logged in; `nil` where logind does not say.
    private(set) var sessions: [UserSession]?
    private let expiry: @LoopActor (PushMessage) -> Seconds

    /// - Parameters:
    ///   - folder: that a reboot empties.
    ///   - expiry: seconds after which an answer to a notification is worth nothing; 0 for never.
    init(
        folder: String, expiry: @escaping @LoopActor (PushMessage) -> Seconds, clock: any Clockwork,
        report: @escaping @LoopActor (Event) -> Void
    ) {
        self.clock = clock
        self.report = report
        self.expiry = expiry
        file = Self.shown(in: folder)
        for stored in file.load() ?? [] {
            desktops[stored.user] = SessionDesktop(
                user: stored.user, entries: stored.entries, clock: clock, owner: self)
        }
    }

    /// Returns the file of what desktops show, for the next daemon. A reboot ends file and screens.
    static func shown(in folder: String) -> RuntimeFile<[Shown]> {
        // More than `SessionDesktop.entryLimit` lets one user have.
        RuntimeFile(
            path: "\(folder)/shown.json", limit: 8 << 20,
            loss: "what is shown cannot be answered after a restart")
    }

    /// Bytes of the texts of what all desktops show.
    var size: Int { all.reduce(0) { $0 + $1.entries.lazy.map(\.message).size } }

    var all: [SessionDesktop] { desktops.sorted { $0.key < $1.key }.map(\.value) }

    func desktop(of user: UInt32) -> SessionDesktop? { desktops[user] }

    /// An earlier daemon was given this answer by the user's helper, which may be asked more about it.
    func expect(_ answer: HeldAnswer) {
        guard let user = answer.user, let key = answer.key else { return }
        let desktop =
            desktops[user] ?? SessionDesktop(user: user, entries: [], clock: clock, owner: self)
        desktops[user] = desktop
        desktop.remember(answer.message, key)
    }

    /// Others are logged in, or in front.
    func sessionsChanged(_ sessions: [UserSession]?) {
        self.sessions = sessions
        guard sessions != nil else { return }
        for desktop in all where !DesktopChoice.admits(desktop.user, sessions) {
            desktops[desktop.user] = nil
            desktop.end()
        }
    }

    /// The desktop of the person in front, or why there is none.
    func chosen() -> Result<SessionDesktop, Absence> {
        let helpers = Set(all.filter(\.isAttended).map(\.user))
        switch choice.choose(among: helpers, sessions) {
        case .nobody(let reason): return .failure(Absence(reason: reason))
        case .user(let user):
            return desktops[user].map { .success($0) } ?? .failure(Absence(reason: "it has gone"))
        }
    }

    /// Reason why there is no desktop; for people.
    struct Absence: Error {
        let reason: String
    }

    /// A helper wants to show notifications. Nobody may who does not sit at this machine, whatever
    /// else they may do with the daemon.
    func attend(_ greeting: ControlCommand.AttendDesktop, _ client: OpenRequest) {
        let user = client.connection.user
        guard let sessions else {
            return client.refuse(
                ControlError(
                    .temporary, "logind does not say who is at this machine",
                    hint: "see whether logind runs: systemctl status systemd-logind"))
        }
        guard DesktopChoice.admits(user, sessions) else {
            return client.refuse(
                ControlError(
                    .notPermitted, "notifications are for the person at this machine",
                    hint: "log in at the machine itself; loginctl shows the sessions"))
        }
        let desktop =
            desktops[user] ?? SessionDesktop(user: user, entries: [], clock: clock, owner: self)
        guard desktops[user] != nil || desktops.count < Bound.desktops else {
            return client.refuse(
                ControlError(.unavailable, "too many users have session helpers here"))
        }
        guard !desktop.isAttended(by: client.connection) else {
            return client.refuse(ControlError(.usage, "this helper has been welcomed"))
        }
        desktops[user] = desktop
        Log.info("a session helper of user \(user) shows notifications")
        desktop.attend(greeting, client)
        report(.attended)
    }

    /// A helper tells what became of something.
    func report(_ report: DesktopReport, _ client: OpenRequest) {
        let desktop = desktops[client.connection.user]
        guard let desktop, desktop.isAttended(by: client.connection),
            desktop.acceptDesktopReport(report)
        else {
            return client.refuse(
                ControlError(.notPermitted, "no such notification is shown to you"))
        }
        client.reply(Done())
    }

    /// The loop's timers have stood still.
    func resume() { for desktop in all { desktop.resume() } }

    // MARK: For each desktop

    func passOnNotifierEvent(_ event: NotifierEvent, on desktop: SessionDesktop) {
        report(.told(event, desktop))
    }

    func late(_ message: PushMessage) { report(.answeredLate(message)) }

    /// Whether an answer that was given so many seconds ago is worth nothing.
    func isTooOld(_ age: Double, _ message: PushMessage) -> Bool {
        let expiry = expiry(message)
        return expiry != 0 && age > expiry
    }

    func changed() {
        file.store(
            all.filter { !$0.entries.isEmpty }.map {
                Shown(user: $0.user, entries: $0.entries)
            })
    }

    /// The reason why no helper shows notifications; `nil` while a helper does.
    var absence: String? {
        if case .failure(let absence) = chosen() { absence.reason } else { nil }
    }

    /// Helpers for the status: whose helpers are there, and which one is in use.
    var statuses: [StatusReport.Push.Helper] {
        let inUse = (try? chosen().get())?.user
        return all.compactMap { desktop in
            guard let version = desktop.version else { return nil }
            let name = sessions?.first { $0.userID == desktop.user }?.user
            return StatusReport.Push.Helper(
                user: name ?? "\(desktop.user)", version: version, inUse: desktop.user == inUse,
                shown: desktop.entries.count)
        }
    }
}
