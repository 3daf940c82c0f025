public import HomingBus
public import HomingMachine
public import HomingRuntime

/// Watches the network through NetworkManager, and delivers `.network` and `.links` whenever they
/// changed.
///
/// The first delivery comes as soon as something is known: `.unknown` if NetworkManager or the bus
/// is absent. Nothing is debounced: while a machine roams, or its access point dies, there are
/// moments without an SSID, for whose length the receiver of the states must allow.
@LoopActor public final class NetworkManagerSource: Source {
    /// Seconds after a change at which the table of neighbours is read again, where it has no hardware
    /// address for a gateway: the kernel writes one down when the gateway is first used.
    static let looks: [Seconds] = [1, 2, 4, 8, 16, 32]

    private let bus: Bus
    private let files: HostFiles
    private let deliver: @LoopActor (Observation) -> Void
    private let clock: any Clockwork
    private var pacer = Pacer(.reconnecting)
    private var making: PendingCall?
    private var retry: (any Alarm)?
    private var client: NetworkManagerClient?
    private var delivered: NetworkState?
    private var deliveredDetails: NetworkDetails??
    private var deliveredLinks: NetworkLinks??
    private var looking: (any Alarm)?
    private var looksDone = 0
    /// Looks for an address that NetworkManager does not tell of, while there is no network.
    private var addressWatch: (any Alarm)?

    /// Seconds between two looks for an address.
    static let addressLooks: Seconds = 60

    /// The state last delivered; `.unknown` before the first.
    public var current: NetworkState { delivered ?? .unknown }

    /// - Parameters:
    ///   - bus: the bus NetworkManager is on; whoever made it opens it.
    ///   - files: have the table of neighbours.
    ///   - deliver: gets `.network`, `.links`, and `.networkDetails` for sensors. The strength of the signal
    ///     changes every few seconds; that alone is not delivered unless `refresh()` asks.
    public init(
        bus: Bus, files: HostFiles = HostFiles(), clock: any Clockwork,
        deliver: @escaping @LoopActor (Observation) -> Void
    ) {
        self.bus = bus
        self.files = files
        self.clock = clock
        self.deliver = deliver
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { bus.subscribe(self) }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        bus.unsubscribe(self)
        release()
        delivered = nil
        deliveredDetails = nil
        deliveredLinks = nil
    }

    /// Reads the state again, delivers it if it changed, and answers it; for a request that failed,
    /// which would know at once whether the network did.
    @discardableResult public func refresh() -> NetworkState {
        look()
        return current
    }

    private func look() {
        guard let client else { return }
        var links = client.links(NeighbourTable(files))
        if links?.withoutGateways != deliveredLinks??.withoutGateways {
            (looking, looksDone) = (nil, 0)
        }
        let isResolving = links?.isResolving == true
        links?.isResolving = isResolving && looksDone < Self.looks.count
        note(client.state(files), links, client.details)
        watchForAddress()
        guard isResolving, looking == nil, looksDone < Self.looks.count else { return }
        looking = clock.once(after: Self.looks[looksDone]) { [weak self] in
            self?.looking = nil
            self?.looksDone += 1
            self?.look()
        }
    }

    private func watchForAddress() {
        guard current.isCutOff else {
            addressWatch = nil
            return
        }
        guard addressWatch == nil else { return }
        addressWatch = clock.slowTimer(Self.addressLooks) { [weak self] in
            guard let self else { return .done }
            look()
            return addressWatch == nil ? .done : .again
        }
    }

    private func note(_ state: NetworkState, _ links: NetworkLinks?, _ details: NetworkDetails?) {
        let isNews = state != delivered
        let haveLinksChanged = deliveredLinks != .some(links)
        let haveDetailsChanged = deliveredDetails != .some(details)
        delivered = state
        deliveredLinks = .some(links)
        deliveredDetails = .some(details)
        if isNews { deliver(.network(state)) }
        // Whoever got the state may have shut us down.
        if haveLinksChanged, delivered != nil { deliver(.links(links)) }
        if haveDetailsChanged, delivered != nil { deliver(.networkDetails(details)) }
    }

    private func release() {
        making = nil
        retry = nil
        looking = nil
        addressWatch = nil
        // The objects of the client signal once more while they go: by then there is no client.
        let last = client
        client = nil
        withExtendedLifetime(last) {}
    }

    private func made(
        _ outcome: Result<NetworkManagerClient, GLibError>, on connection: OpaquePointer
    ) {
        making = nil
        switch outcome {
        case .success(let client):
            self.client = client
            pacer.succeeded()
            refresh()
        case .failure(let error):
            Log.debug("no client of NetworkManager: \(error)")
            retry = clock.retry(after: pacer.failed(at: clock.now())) { [weak self] in
                self?.busConnected(connection)
            }
            note(.unknown, nil, nil)
        }
    }
}

extension NetworkManagerSource: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        release()
        making = NetworkManagerClient.make(
            on: connection,
            changed: { [weak self] in _ = self?.refresh() },
            completion: { [weak self] outcome in self?.made(outcome, on: connection) })
    }

    public func busDisconnected() {
        release()
        note(.unknown, nil, nil)
    }
}

extension NetworkLinks {
    /// The links, whatever the table of neighbours says.
    fileprivate var withoutGateways: [NetworkLink] {
        links.map { link in
            var link = link
            link.gateway = nil
            return link
        }
    }
}
