public import HomingBus
public import HomingMachine
public import HomingRuntime

/// Watches the network through NetworkManager, and delivers `.network` whenever it changed.
///
/// The first delivery comes as soon as something is known: `.unknown` if NetworkManager or the bus
/// is absent. Nothing is debounced: while a machine roams, or its access point dies, there are
/// moments without an SSID, for whose length the receiver of the states must allow.
@LoopActor public final class NetworkManagerSource: Source {
    private let bus: Bus
    private let deliver: @LoopActor (Observation) -> Void
    private let clock: any Clockwork
    private var pacer = Pacer(.reconnecting)
    private var making: PendingCall?
    private var retry: (any Alarm)?
    private var client: NetworkManagerClient?
    private var delivered: NetworkState?
    private var deliveredDetails: NetworkDetails??

    /// The state last delivered; `.unknown` before the first.
    public var current: NetworkState { delivered ?? .unknown }

    /// - Parameters:
    ///   - bus: the bus NetworkManager is on; whoever made it opens it.
    ///   - deliver: gets `.network`, and `.networkDetails` for sensors. The strength of the signal
    ///     changes every few seconds; that alone is not delivered unless `refresh()` asks.
    public init(
        bus: Bus, clock: any Clockwork,
        deliver: @escaping @LoopActor (Observation) -> Void
    ) {
        self.bus = bus
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
    }

    /// Reads the state anew, delivers it if it changed, and answers it; for a request that failed,
    /// which would know at once whether the network did.
    @discardableResult public func refresh() -> NetworkState {
        if let client { note(client.state, client.details) }
        return current
    }

    private func note(_ state: NetworkState, _ details: NetworkDetails?) {
        let (isNews, areNews) = (state != delivered, deliveredDetails != .some(details))
        delivered = state
        deliveredDetails = .some(details)
        if isNews { deliver(.network(state)) }
        // Whoever got the state may have shut us down.
        if areNews, delivered != nil { deliver(.networkDetails(details)) }
    }

    private func release() {
        making = nil
        retry = nil
        client = nil
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
            note(.unknown, nil)
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
        note(.unknown, nil)
    }
}
