public import HomingBus
public import HomingMachine
public import HomingRuntime

/// Watches some objects on the bus, and delivers an observation of them whenever the observation is
/// another one. Services that do not run are not started.
@LoopActor public final class ObjectsSource: Source {
    typealias Place = (service: String, path: String, interface: String)

    private let bus: Bus
    private let places: [Place]
    private let absent: Observation
    private let deliver: @LoopActor (Observation) -> Void
    private let read: @LoopActor ([BusObject]) -> Observation
    private var looking: [PendingCall] = []
    private var objects: [Int: BusObject] = [:]
    private var delivered: Observation?

    /// - Parameters:
    ///   - bus: the bus the services are on; whoever made it opens it.
    ///   - absent: delivered while the bus is away.
    ///   - read: makes the observation of the objects, in the order of the places.
    init(
        bus: Bus, _ places: [Place], absent: Observation,
        deliver: @escaping @LoopActor (Observation) -> Void,
        read: @escaping @LoopActor ([BusObject]) -> Observation
    ) {
        self.bus = bus
        self.places = places
        self.absent = absent
        self.deliver = deliver
        self.read = read
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

    /// Reads all objects, once all are there: fewer would show a state that never was.
    private func readAll() {
        guard objects.count == places.count else { return }
        note(read(places.indices.compactMap { objects[$0] }))
    }

    private func note(_ observation: Observation) {
        guard observation != delivered else { return }
        delivered = observation
        deliver(observation)
    }
}

extension ObjectsSource: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        release()
        looking = places.enumerated().map { index, place in
            BusObject.look(
                at: place.path, place.interface, of: place.service, on: connection,
                changed: { [weak self] in self?.readAll() },
                completion: { [weak self] outcome in
                    if case .failure(let error) = outcome {
                        Log.debug("no \(place.interface): \(error)")
                    }
                    self?.objects[index] = try? outcome.get()
                    self?.readAll()
                })
        }
    }

    public func busDisconnected() {
        release()
        note(absent)
    }
}
