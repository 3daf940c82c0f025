public import HomingBus
public import HomingMachine
internal import HomingRuntime

extension ListingSource {
    /// Watches who is logged in through logind: `.sessions`. Greeters and background sessions are
    /// nobody's.
    public static func sessions(
        bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void
    ) -> ListingSource {
        ListingSource(
            bus: bus, service: Logind.name, manager: (Logind.path, Logind.interface),
            method: "ListSessions", interface: "org.freedesktop.login1.Session",
            // Each is id, user's number, user's name, seat, path.
            paths: { answer in (answer.first?.list ?? []).compactMap { $0.list?.last?.text } },
            deliver: deliver
        ) { .sessions($0?.compactMap { UserSession($0) }) }
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
