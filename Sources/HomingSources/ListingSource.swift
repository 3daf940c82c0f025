public import HomingBus
internal import HomingMachine
public import HomingRuntime

/// Watches the objects that a service lists (UPower's devices, logind's sessions) as they come, go and
/// change, and delivers an observation of them whenever the observation is another one.
@LoopActor public final class ListingSource: Source {
    private let bus: Bus
    private let service: String
    private let place: (path: String, interface: String)
    private let method: String
    private let interface: String
    private let paths: @Sendable ([BusValue]) -> [String]
    private let read: @Sendable ([[String: BusValue]]?) -> Observation
    private let news: News
    private let objects: BusObjectSet
    private var connection: OpaquePointer?
    private var manager: BusObject?
    private var looking: PendingCall?
    private var listing: PendingCall?

    /// - Parameters:
    ///   - bus: the bus the service is on; whoever made it opens it.
    ///   - service: its name on the bus.
    ///   - manager: the object that lists, and whose signals say that one came or went.
    ///   - method: of the manager's, without arguments.
    ///   - interface: of the objects that are listed.
    ///   - paths: theirs in the method's answer.
    ///   - read: makes the observation of the properties of all objects, in the order of their paths;
    ///     `nil` while the service or the bus is away.
    init(
        bus: Bus, service: String, manager: (path: String, interface: String), method: String,
        interface: String, paths: @escaping @Sendable ([BusValue]) -> [String],
        deliver: @escaping @LoopActor (Observation) -> Void,
        read: @escaping @Sendable ([[String: BusValue]]?) -> Observation
    ) {
        self.bus = bus
        self.service = service
        place = manager
        self.method = method
        self.interface = interface
        self.paths = paths
        self.read = read
        let news = News(deliver)
        self.news = news
        objects = BusObjectSet { objects in
            let sorted = objects.sorted { $0.key.path < $1.key.path }
            news.tell(read(sorted.map { $0.value.properties }))
        }
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { bus.subscribe(self) }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        bus.unsubscribe(self)
        release()
        news.forget()
    }

    private func release() {
        connection = nil
        looking = nil
        listing = nil
        manager = nil
        objects.clear()
    }

    /// Asks for the list anew; each of the manager's signals may mean another one.
    private func list() {
        guard let connection, let manager else { return }
        guard manager.isOwned else {
            objects.clear()
            return news.tell(read(nil))
        }
        listing = PendingCall.method(
            method, of: place.interface, at: place.path, service,
            on: connection
        ) { [weak self] outcome in
            guard let self else { return }
            switch outcome {
            case .success(let answer):
                let places = self.paths(answer).prefix(Bound.busObjects).map {
                    BusObjectSet.Place(self.service, $0, self.interface)
                }
                self.objects.show(places, on: connection)
            case .failure(let error):
                Log.debug("\(self.service) does not list: \(error)")
                self.news.tell(self.read(nil))
            }
        }
    }
}

extension ListingSource: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        release()
        self.connection = connection
        looking = BusObject.look(
            at: place.path, place.interface, of: service, on: connection,
            changed: { [weak self] in self?.list() },
            completion: { [weak self] outcome in
                self?.manager = try? outcome.get()
                self?.list()
            })
    }

    public func busDisconnected() {
        release()
        news.tell(read(nil))
    }
}
