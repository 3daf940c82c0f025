public import HomingRelayProtocol
public import HomingRuntime
public import HomingServer

/// A push relay that serves: takes Home Assistant's posts, gives tokens to devices, and hands them
/// what waits. `end()` ends it.
@LoopActor public final class RelayService {
    /// Seconds after which a request is answered, whatever the store does.
    public nonisolated static let answerTime: Seconds = 2
    /// Seconds after which a device from which nothing comes counts as gone.
    nonisolated static let deviceSilence: Seconds = 900
    /// Seconds within which devices come back after a restart.
    private static let restartAbsence = 1...60
    /// Seconds within which devices come back after a key rotation, which is not urgent.
    private static let renewalAbsence = 60...600

    // The parts, for the relay's routes, its control and its monitoring alone.
    let configuration: RelayConfiguration
    let store: any MailboxStore
    let room: SealingRoom
    let devices: Devices
    let pushes: PushDesk
    let joins: JoinCounter
    let gate: Gate
    let answers: OpenAnswers
    let watch: StoreWatch
    let keys: KeyFile?
    let shared: SharedRing?
    let clock: any Clockwork
    let started: Moment
    let statistics: RecentStatistics
    let proxies = ProxyWatch()
    /// `nil` where the relay is no front.
    let forwarder: Forwarder?
    let forwards: ForwardDesk?
    private let sweeper: Sweeper
    private var server: HTTPServer?
    private var monitor: Monitor?
    /// `nil` where the relay speaks no TLS itself.
    private(set) var certificate: CertificateKeeper?
    /// Whether `end()` was called.
    private(set) var isEnding = false
    private(set) var learner: KeyLearner?

    /// Serves at once.
    ///
    /// - Parameters:
    ///   - ring: the relay's keys.
    ///   - keys: where they are kept; `nil` where they cannot be replaced.
    ///   - shared: the ring, where other relays use it too.
    ///   - store: closed by `end()`.
    /// - Throws: if an address cannot be listened on.
    public init(
        _ configuration: RelayConfiguration, ring: TokenRing, keys: KeyFile?,
        shared: SharedRing? = nil, store: any MailboxStore, clock: any Clockwork = SystemClock()
    ) throws(ServerFailure) {
        self.configuration = configuration
        self.store = store
        self.keys = keys
        self.shared = shared
        self.clock = clock
        started = clock.now()
        room = SealingRoom(ring, after: store.firstTime, clock)
        devices = Devices(room, store, clock)
        gate = Gate(burst: configuration.limits.burst, clock)
        watch = StoreWatch(clock)
        answers = OpenAnswers(clock, watch)
        let intake = Intake(limits: configuration.storeLimits)
        pushes = PushDesk(intake, room, store, devices, gate, answers, watch, clock)
        if let url = configuration.forward.url, let outbox = store as? any Outbox {
            let forwarder = Forwarder(
                FarRelay(url, caFile: configuration.forward.caFile), outbox, room, devices,
                seed: .random(in: 0...UInt64.max), clock)
            self.forwarder = forwarder
            forwards = ForwardDesk(intake, room, outbox, gate, answers, forwarder)
        } else {
            (forwarder, forwards) = (nil, nil)
        }
        joins = JoinCounter(configuration, room, store, gate, answers)
        statistics = RecentStatistics(store, clock)
        sweeper = Sweeper(store, clock)
        learner = shared.map { shared in
            KeyLearner(shared, clock) { [weak self] in self?.rotateKeys($0) }
        }
        store.listen { [weak self] in self?.heard($0) }
        let identity = try makeCertificate()
        server = try HTTPServer(
            on: configuration.listen.addresses, secured: configuration.listen.tlsAddresses,
            identity: identity, limits: configuration.serverLimits,
            trusts: configuration.listen.proxies, clock: clock,
            refusal: { $0.relayAnswer }, take: { [weak self] in self?.serveRequest($0) })
        if !configuration.listen.metrics.isEmpty {
            monitor = try Monitor(on: configuration.listen.metrics, clock: clock) {
                [weak self] (page, request) in
                if let self { MonitorPages(relay: self).answer(page, request) }
            }
        }
    }

    /// Something happened in the store, here or in another instance.
    private func heard(_ event: StoreEvent) {
        switch event {
        case .stored(let mailbox):
            devices.wake(mailbox)
            forwarder?.stored(mailbox)
        case .blocked(let mailbox): devices.notifySockets(mailbox, .blocked)
        case .keysChanged: learner?.keysChanged()
        }
    }

    /// Addresses at which monitoring reads, with the ports that the system chose.
    public var monitorAddresses: [ListenAddress] { monitor?.addresses ?? [] }

    private func makeCertificate() throws(ServerFailure) -> TLSIdentity? {
        let listen = configuration.listen
        guard let path = listen.tlsCertificate, let key = listen.tlsKey else { return nil }
        let keeper = CertificateKeeper(certificate: path, key: key, clock: clock) {
            [weak self] in self?.server?.replaceIdentity($0)
        }
        certificate = keeper
        return try keeper.first()
    }

    /// Reads certificate and key again, where the relay speaks TLS itself.
    public func readCertificate() { certificate?.readAgain() }

    /// Addresses at which the relay listens, with the ports that the system chose.
    public var addresses: [ListenAddress] { server?.addresses ?? [] }
    /// Addresses at which the relay speaks TLS.
    public var secureAddresses: [ListenAddress] { server?.secureAddresses ?? [] }

    /// The server's counts.
    var serverCounts: HTTPServer.Counts { server?.counts ?? HTTPServer.Counts() }

    /// Uses new keys, which are in the key file already. Tokens of the former key stay valid.
    /// Devices get new tokens when they connect again.
    func rotateKeys(_ ring: TokenRing) {
        room.replaceKeys(ring)
        devices.farewell(within: Self.renewalAbsence, why: "The relay has new keys.")
    }

    /// Sends the devices away to come back within a minute, answers the requests under way, and
    /// closes the store: within some 15 seconds, whatever hangs.
    public func end() async {
        isEnding = true
        sweeper.end()
        forwarder?.end()
        devices.farewell(
            within: Self.restartAbsence, why: RelayRefusal.ending.description)
        await server?.end()
        server = nil
        await monitor?.end()
        monitor = nil
        let isClosed = await Race.run(Self.closingTime, clock, late: false) { [store] done in
            spawn {
                await store.close()
                done(true)
            }
        }
        if !isClosed {
            Log.warning("the store does not close: the disk is slow, and messages may be lost")
        }
    }

    /// Seconds that the store may take to close.
    private static let closingTime: Seconds = 5
}
