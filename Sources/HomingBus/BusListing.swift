internal import HomingBase
public import HomingRuntime

/// The objects a service lists (UPower's devices, logind's sessions), with their properties, followed
/// as they come, go and change.
@LoopActor public final class BusListing {
    /// How a service is asked for its objects.
    public struct Plan: Sendable {
        /// The service's name on the bus.
        let service: String
        /// The object that lists, and whose signals say that one came or went.
        let manager: (path: String, interface: String)
        /// A method of the manager's without arguments.
        let method: String
        /// The interface of the objects that are listed.
        let interface: String
        /// Their paths in the method's answer.
        let paths: @Sendable ([BusValue]) -> [String]

        public init(
            service: String, manager: (path: String, interface: String), method: String,
            interface: String, paths: @escaping @Sendable ([BusValue]) -> [String]
        ) {
            self.service = service
            self.manager = manager
            self.method = method
            self.interface = interface
            self.paths = paths
        }
    }

    private let bus: Bus
    private let plan: Plan
    private let changed: @LoopActor ([[String: BusValue]]?) -> Void
    private var connection: OpaquePointer?
    private var manager: BusObject?
    private var calls: [PendingCall] = []
    private var listing: PendingCall?
    private var objects: [String: BusObject] = [:]
    /// Paths whose objects are being looked at for the first time.
    private var awaited: Set<String> = []

    /// - Parameter changed: gets the properties of all objects, in the order of their paths, when
    ///   something about them may have changed; `nil` while the service or the bus is away.
    public init(
        bus: Bus, plan: Plan,
        changed: @escaping @LoopActor ([[String: BusValue]]?) -> Void
    ) {
        self.bus = bus
        self.plan = plan
        self.changed = changed
    }

    public func start() { bus.subscribe(self) }

    public func shutdown() {
        bus.unsubscribe(self)
        release()
    }

    private func release() {
        connection = nil
        calls.forEach { $0.cancel() }
        calls = []
        listing?.cancel()
        listing = nil
        manager = nil
        objects = [:]
        awaited = []
    }

    /// Asks for the list anew; each of the manager's signals may mean another one.
    private func list() {
        guard let connection, let manager else { return }
        guard manager.isOwned else {
            objects = [:]
            awaited = []
            return changed(nil)
        }
        listing = PendingCall.method(
            plan.method, of: plan.manager.interface, at: plan.manager.path, plan.service,
            on: connection
        ) { [weak self] outcome in
            guard let self else { return }
            switch outcome {
            case .success(let answer):
                self.show(Set(self.plan.paths(answer).prefix(Bound.busObjects)))
            case .failure(let error):
                Log.debug("\(self.plan.service) does not list: \(error)")
                self.changed(nil)
            }
        }
    }

    private func show(_ paths: Set<String>) {
        objects = objects.filter { paths.contains($0.key) }
        awaited.formIntersection(paths)
        for path in paths.sorted() where objects[path] == nil && !awaited.contains(path) {
            look(at: path)
        }
        tell()
    }

    private func look(at path: String) {
        guard let connection else { return }
        awaited.insert(path)
        calls.append(
            BusObject.look(
                at: path, plan.interface, of: plan.service, on: connection,
                changed: { [weak self] in self?.tell() },
                completion: { [weak self] outcome in
                    guard let self, self.awaited.remove(path) != nil else { return }
                    self.objects[path] = try? outcome.get()
                    self.tell()
                }))
    }

    /// Tells once all are there: fewer would be a state that never was.
    private func tell() {
        guard awaited.isEmpty else { return }
        calls = []
        changed(objects.sorted { $0.key < $1.key }.map { $0.value.properties })
    }
}

extension BusListing: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        release()
        self.connection = connection
        calls = [
            BusObject.look(
                at: plan.manager.path, plan.manager.interface, of: plan.service, on: connection,
                changed: { [weak self] in self?.list() },
                completion: { [weak self] outcome in
                    self?.manager = try? outcome.get()
                    self?.list()
                })
        ]
    }

    public func busDisconnected() {
        release()
        changed(nil)
    }
}
