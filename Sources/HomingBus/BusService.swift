public import HomingRuntime

/// Service on a bus: its coming and going, its signals, and calls of its methods.
@LoopActor public final class BusService {
    /// An event of the service's own.
    public enum Event: Equatable, Sendable {
        /// The service has started, or ran when the bus was joined; the bus's own name of it, which
        /// no other gets while the bus lives.
        case appeared(String)
        /// The service has gone, or the bus.
        case vanished
        case signal(String, [BusValue])
    }

    private let bus: Bus
    private let name: String
    private let path: String
    private let interface: String
    private let handle: @LoopActor (Event) -> Void
    private var owner: NameWatch?
    private var signals: BusSignal?

    /// - Parameters:
    ///   - name: the service's name on the bus.
    ///   - path: of the object that is called and listened to; `interface` is the object's.
    public init(
        on bus: Bus, name: String, path: String, interface: String,
        handle: @escaping @LoopActor (Event) -> Void = { _ in }
    ) {
        self.bus = bus
        self.name = name
        self.path = path
        self.interface = interface
        self.handle = handle
        bus.subscribe(self)
    }

    /// Calls a method, which may take 5 s; the service may be started for it.
    public func call(
        _ method: String, _ arguments: [BusArgument] = [],
        completion: @escaping @LoopActor (Result<[BusValue], GLibError>) -> Void
    ) {
        bus.call(
            method, of: interface, at: path, name, arguments, timeout: 5000,
            completion: completion)
    }

    /// Lets go of the bus.
    public func close() { bus.shutdown() }
}

extension BusService: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        // Named by its service, so that nobody else's signals are taken for its own.
        signals = BusSignal(of: interface, at: path, from: name, on: connection) {
            [weak self] name, values, _ in self?.handle(.signal(name, values))
        }
        owner = NameWatch(name, on: connection) { [weak self] owner in
            self?.handle(owner.map { .appeared($0) } ?? .vanished)
        }
    }

    public func busDisconnected() {
        signals = nil
        guard owner != nil else { return }
        owner = nil
        handle(.vanished)
    }
}
