public import HomingBus
internal import HomingMachine
public import HomingRuntime

/// Watches some objects on the bus, and delivers an observation of them whenever the observation is
/// another one. Services that do not run are not started.
@LoopActor public final class ObjectsSource: Source {
    private let bus: Bus
    private let places: [BusObjectSet.Place]
    private let absent: Observation
    private let news: News
    private let objects: BusObjectSet

    /// - Parameters:
    ///   - bus: the bus the services are on; whoever made it opens it.
    ///   - absent: delivered while the bus is away.
    ///   - read: makes the observation of the objects, in the order of the places. All are there:
    ///     fewer would show a state that never was.
    init(
        bus: Bus, _ places: [BusObjectSet.Place], absent: Observation,
        deliver: @escaping @LoopActor (Observation) -> Void,
        read: @escaping @LoopActor ([BusObject]) -> Observation
    ) {
        self.bus = bus
        self.places = places
        self.absent = absent
        let news = News(deliver)
        self.news = news
        objects = BusObjectSet { objects in
            let found = places.compactMap { objects[$0] }
            if found.count == places.count { news.tell(read(found)) }
        }
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { bus.subscribe(self) }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        bus.unsubscribe(self)
        objects.clear()
        news.forget()
    }
}

extension ObjectsSource: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        objects.clear()
        objects.show(places, on: connection)
    }

    public func busDisconnected() {
        objects.clear()
        news.tell(absent)
    }
}
