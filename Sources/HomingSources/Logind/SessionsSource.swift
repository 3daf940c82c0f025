public import HomingBus
public import HomingMachine
internal import HomingRuntime

extension ObjectsSource {
    /// Watches who is logged in through logind: `.sessions`. Greeters and background sessions are
    /// nobody's.
    public static func sessions(
        bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void
    ) -> ObjectsSource {
        let lister = Lister(
            place: BusObjectSet.Place(Logind.name, Logind.path, Logind.interface),
            method: "ListSessions"
        ) { listed in
            // Each is id, user's number, user's name, seat, path.
            listed.compactMap { $0.list?.last?.text }
                .map { BusObjectSet.Place(Logind.name, $0, "\(Logind.name).Session") }
        }
        return ObjectsSource(bus: bus, listedBy: lister, deliver: deliver) {
            .sessions($0?.compactMap { UserSession($0.properties) })
        }
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
            userID: session["User"]?.list?.first?.uint32)
    }
}
