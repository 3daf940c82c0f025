public import HomingBus
public import HomingMachine
public import HomingRuntime

/// Watches battery and mains through UPower, and delivers `.power` whenever they changed.
///
/// It looks at UPower's DisplayDevice, which stands for all batteries together, and never starts
/// UPower. Where that is absent, or the bus, the state is `.mains`. UPower also announces changes
/// of its own update time alone (each second for a while after a plug): these deliver nothing.
@LoopActor public final class UPowerSource: Source {
    private static let name = "org.freedesktop.UPower"

    private let bus: Bus
    private let deliver: @LoopActor (Observation) -> Void
    private var looking: [PendingCall] = []
    private var daemon: BusObject?
    private var displayDevice: BusObject?
    private var delivered: PowerState?

    /// - Parameters:
    ///   - bus: the bus UPower is on; whoever made it opens it.
    ///   - deliver: gets `.power` and nothing else.
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
        daemon = nil
        displayDevice = nil
    }

    private func look(
        at path: String, _ interface: String, on connection: OpaquePointer,
        _ found: @escaping @LoopActor (UPowerSource, BusObject) -> Void
    ) {
        let call = BusObject.look(
            at: path, interface, of: Self.name, on: connection,
            changed: { [weak self] in self?.read() },
            completion: { [weak self] outcome in
                guard let self else { return }
                switch outcome {
                case .success(let object): found(self, object)
                case .failure(let error): Log.debug("no UPower: \(error)")
                }
                self.read()
            })
        looking.append(call)
    }

    /// Reads both objects, once both are there: either alone would show a state that never was.
    private func read() {
        guard let daemon, let displayDevice else { return }
        guard daemon.isOwned, displayDevice.isOwned else { return note(.mains) }
        let present = displayDevice.boolean("IsPresent") ?? false
        let percentage = displayDevice.double("Percentage").flatMap(Self.percentage)
        note(
            PowerState(
                batteryPercentage: present ? percentage : nil,
                onBattery: daemon.boolean("OnBattery") ?? false))
    }

    nonisolated private static func percentage(_ value: Double) -> Double? {
        value.isFinite ? min(max(value, 0), 100) : nil
    }

    private func note(_ state: PowerState) {
        guard state != delivered else { return }
        delivered = state
        deliver(.power(state))
    }
}

extension UPowerSource: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        release()
        look(at: "/org/freedesktop/UPower", "org.freedesktop.UPower", on: connection) {
            $0.daemon = $1
        }
        look(
            at: "/org/freedesktop/UPower/devices/DisplayDevice", "org.freedesktop.UPower.Device",
            on: connection
        ) { $0.displayDevice = $1 }
    }

    public func busDisconnected() {
        release()
        note(.mains)
    }
}
