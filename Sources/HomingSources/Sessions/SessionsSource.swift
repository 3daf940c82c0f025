public import HomingBus
public import HomingMachine
public import HomingRuntime

/// Watches who is logged in through logind, and delivers `.sessions` whenever something about it
/// changed. Greeters and background sessions are nobody's.
@LoopActor public final class SessionsSource: Source {
    private var listing: BusListing?
    private let deliver: @LoopActor (Observation) -> Void
    private var delivered: [UserSession]??

    /// - Parameters:
    ///   - bus: the bus logind is on; whoever made it opens it.
    ///   - deliver: gets `.sessions` and nothing else.
    public init(bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void) {
        self.deliver = deliver
        listing = BusListing(
            bus: bus, service: "org.freedesktop.login1",
            manager: ("/org/freedesktop/login1", "org.freedesktop.login1.Manager"),
            method: "ListSessions", interface: "org.freedesktop.login1.Session",
            // Each is id, user's number, user's name, seat, path.
            paths: { answer in (answer.first?.list ?? []).compactMap { $0.list?.last?.text } }
        ) { [weak self] in self?.note($0) }
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { listing?.start() }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        listing?.shutdown()
        delivered = nil
    }

    private func note(_ objects: [[String: BusValue]]?) {
        let sessions = objects?.compactMap { UserSession($0) }
        guard delivered != .some(sessions) else { return }
        delivered = .some(sessions)
        deliver(.sessions(sessions))
    }
}

extension UserSession {
    /// Reads a session of logind's; `nil` if it is no person's, or is closing.
    init?(_ session: [String: BusValue]) {
        // user, user-early, user-incomplete; since systemd 256 also user-light.
        guard let kind = session["Class"]?.text, kind.hasPrefix("user"),
            session["State"]?.text != "closing", let user = session["Name"]?.text
        else { return nil }
        let seat = session["Seat"]?.list?.first?.text
        self.init(
            user: user.bounded(Bound.name),
            isLocal: session["Remote"]?.boolean != true && seat != nil,
            isGraphical: ["x11", "wayland", "mir"].contains(session["Type"]?.text),
            isActive: session["Active"]?.boolean ?? false,
            isLocked: session["LockedHint"]?.boolean ?? false,
            isIdle: session["IdleHint"]?.boolean ?? false,
            userID: session["User"]?.list?.first?.whole.flatMap { UInt32(exactly: $0) })
    }
}
