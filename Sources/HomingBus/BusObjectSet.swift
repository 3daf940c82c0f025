public import HomingRuntime

/// Objects on a bus that are read together, each followed as it changes.
@LoopActor public final class BusObjectSet {
    /// Place of an object on a bus: its service, its path and its interface.
    public struct Place: Hashable, Sendable {
        public let service: String
        public let path: String
        public let interface: String

        public init(_ service: String, _ path: String, _ interface: String) {
            self.service = service
            self.path = path
            self.interface = interface
        }
    }

    private let changed: @LoopActor ([Place: BusObject]) -> Void
    private var looking: [Place: PendingCall] = [:]
    private var objects: [Place: BusObject] = [:]

    /// - Parameter changed: gets the objects when something about them may have changed, but only
    ///   once all are there: fewer would be a state that never was.
    public init(changed: @escaping @LoopActor ([Place: BusObject]) -> Void) {
        self.changed = changed
    }

    /// Looks at these, and at no others.
    public func show(_ places: [Place], on connection: OpaquePointer) {
        looking = looking.filter { places.contains($0.key) }
        objects = objects.filter { places.contains($0.key) }
        for place in places where looking[place] == nil && objects[place] == nil {
            looking[place] = BusObject.look(
                at: place, on: connection,
                changed: { [weak self] in self?.reportObjects() },
                completion: { [weak self] outcome in
                    self?.looking[place] = nil
                    if case .failure(let error) = outcome {
                        Log.debug("no \(place.interface): \(error)")
                    }
                    self?.objects[place] = try? outcome.get()
                    self?.reportObjects()
                })
        }
        reportObjects()
    }

    /// Lets go of all, and tells nothing.
    public func clear() {
        looking = [:]
        objects = [:]
    }

    private func reportObjects() {
        if looking.isEmpty { changed(objects) }
    }
}
