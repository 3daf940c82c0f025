public import HomingBus
public import HomingMachine
public import HomingRuntime

/// Watches the power profile, and delivers `.powerProfile` whenever it changed.
///
/// power-profiles-daemon 0.20 moved to a new name; later ones, and tuned in its place, have both, and
/// Debian 12's has the old one only.
@LoopActor public final class PowerProfileSource: Source {
    private static let names = [
        (
            name: "org.freedesktop.UPower.PowerProfiles",
            path: "/org/freedesktop/UPower/PowerProfiles"
        ),
        (name: "net.hadess.PowerProfiles", path: "/net/hadess/PowerProfiles"),
    ]

    private let bus: Bus
    private let deliver: @LoopActor (Observation) -> Void
    private var looking: [PendingCall] = []
    private var objects: [String: BusObject] = [:]
    private var delivered: String??

    /// - Parameters:
    ///   - bus: the bus the daemon is on; whoever made it opens it.
    ///   - deliver: gets `.powerProfile` and nothing else.
    public init(bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void) {
        self.bus = bus
        self.deliver = deliver
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { bus.subscribe(self) }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        bus.unsubscribe(self)
        release()
        delivered = nil
    }

    private func release() {
        looking.forEach { $0.cancel() }
        looking = []
        objects = [:]
    }

    /// Reads both, once both answered.
    private func read() {
        guard objects.count == Self.names.count else { return }
        let profile = Self.names.lazy.compactMap { [objects] entry -> String? in
            guard let object = objects[entry.name], object.isOwned else { return nil }
            return object.properties["ActiveProfile"]?.text?.bounded(Bound.word)
        }.first
        note(profile)
    }

    private func note(_ profile: String?) {
        guard delivered != .some(profile) else { return }
        delivered = .some(profile)
        deliver(.powerProfile(profile))
    }
}

extension PowerProfileSource: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        release()
        looking = Self.names.map { entry in
            BusObject.look(
                at: entry.path, entry.name, of: entry.name, on: connection,
                changed: { [weak self] in self?.read() },
                completion: { [weak self] outcome in
                    self?.objects[entry.name] = try? outcome.get()
                    self?.read()
                })
        }
    }

    public func busDisconnected() {
        release()
        note(nil)
    }
}
