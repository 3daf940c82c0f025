public import HomingBus
internal import HomingMachine
public import HomingRuntime

/// Watches objects on the bus, and delivers an observation of them whenever the observation is another
/// one. Services that do not run are not started.
@LoopActor public final class ObjectsSource: Source {
    /// A service's object that lists others (UPower's devices, logind's sessions), which come and go.
    struct Lister {
        let place: BusObjectSet.Place
        /// Method of the object that lists the others; called without arguments.
        let method: String
        /// Signal of the object that says that another object came or went; any signal by default.
        var signal: String?
        /// Name that the first argument of that signal is, or is below of.
        var namespace: String?
        /// The objects in the list that the method answers.
        let places: @Sendable ([BusValue]) -> [BusObjectSet.Place]
    }

    private let bus: Bus
    private let lister: Lister?
    private let deliver: @LoopActor (Observation) -> Void
    private let read: @LoopActor ([BusObject]?) -> Observation
    /// Places in the order in which they are read.
    private var places: [BusObjectSet.Place]
    private lazy var objects = BusObjectSet { [weak self] in self?.found($0) }
    private var signals: BusSignal?
    private var owner: NameWatch?
    private var listing: PendingCall?
    private var last: Observation?

    /// - Parameters:
    ///   - bus: the bus the services are on; whoever made it opens it.
    ///   - places: of objects that are always the same ones.
    ///   - lister: lists the objects in place of that.
    ///   - read: makes the observation of the objects, in the order of the places, or of those listed
    ///     in the order of their services and paths; `nil` while the bus or the lister is away.
    init(
        bus: Bus, _ places: [BusObjectSet.Place] = [], listedBy lister: Lister? = nil,
        deliver: @escaping @LoopActor (Observation) -> Void,
        read: @escaping @LoopActor ([BusObject]?) -> Observation
    ) {
        self.bus = bus
        self.places = places
        self.lister = lister
        self.deliver = deliver
        self.read = read
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { bus.subscribe(self) }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        bus.unsubscribe(self)
        release()
        last = nil
    }

    private func release() {
        signals = nil
        owner = nil
        listing = nil
        objects.clear()
    }

    /// Delivers the objects that were found. Objects that are always the same ones are delivered
    /// when all are there: fewer would show a state that never was.
    private func found(_ found: [BusObjectSet.Place: BusObject]) {
        let objects = places.compactMap { found[$0] }
        if lister != nil || objects.count == places.count { deliverObjects(objects) }
    }

    private func deliverObjects(_ objects: [BusObject]?) {
        let observation = read(objects)
        guard observation != last else { return }
        last = observation
        deliver(observation)
    }

    private func watch(_ lister: Lister, on connection: OpaquePointer) {
        let place = lister.place
        // Each of its signals may mean another list.
        signals = BusSignal(
            lister.signal, of: place.interface, at: place.path, from: place.service,
            within: lister.namespace, on: connection
        ) { [weak self] _, _, _ in self?.list(lister, on: connection) }
        owner = NameWatch(place.service, on: connection) { [weak self] owner in
            if owner == nil { self?.lost() } else { self?.list(lister, on: connection) }
        }
    }

    private func list(_ lister: Lister, on connection: OpaquePointer) {
        let place = lister.place
        listing = PendingCall.method(
            lister.method, of: place.interface, at: place.path, place.service, on: connection
        ) { [weak self] outcome in
            switch outcome {
            case .success(let answer):
                let places = lister.places(answer.first?.list ?? []).prefix(Bound.busObjects)
                    .sorted { ($0.service, $0.path) < ($1.service, $1.path) }
                self?.places = places
                self?.objects.show(places, on: connection)
            case .failure(let error):
                Log.debug("\(place.service) does not list: \(error)")
                self?.deliverObjects(nil)
            }
        }
    }

    private func lost() {
        listing = nil
        objects.clear()
        deliverObjects(nil)
    }
}

extension ObjectsSource: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        release()
        guard let lister else { return objects.show(places, on: connection) }
        watch(lister, on: connection)
    }

    public func busDisconnected() {
        release()
        deliverObjects(nil)
    }
}
