internal import CGLib
public import HomingRuntime

/// Asks logind to lock the screen or to suspend the machine.
///
/// Whether we may is logind's and polkit's to say: the user of a session may lock it, and suspend
/// while it is in front; a system service needs a rule of polkit's.
@LoopActor public final class LogindControl {
    private let bus: SystemBus
    private var connection: OpaquePointer?
    private var calls: [Int: PendingCall] = [:]
    private var last = 0

    /// - Parameter bus: logind's; its owner opens it.
    public init(bus: SystemBus) { self.bus = bus }

    /// Joins the bus, open or not yet.
    public func start() { bus.subscribe(self) }

    /// Ends it; nothing more is told of what was asked.
    public func shutdown() {
        bus.unsubscribe(self)
        connection = nil
        calls = [:]
    }

    /// Locks our user's session, or every one where we have none.
    ///
    /// - Parameter completion: gets logind's reason if it does not.
    public func lock(completion: @escaping @LoopActor (String?) -> Void) {
        call("Lock", of: "\(Logind.name).Session", at: "\(Logind.path)/session/auto") {
            [weak self] problem in
            guard let self, problem != nil else { return completion(problem) }
            self.call("LockSessions", of: Logind.interface, at: Logind.path, completion: completion)
        }
    }

    /// Suspends the machine, without asking anybody for a password.
    ///
    /// - Parameter completion: gets logind's reason if it does not.
    public func suspend(completion: @escaping @LoopActor (String?) -> Void) {
        call(
            "Suspend", of: Logind.interface, at: Logind.path,
            arguments: {
                var children = [g_variant_new_boolean(0)]
                return g_variant_new_tuple(&children, 1)
            },
            completion: completion)
    }

    private func call(
        _ method: String, of interface: String, at path: String,
        arguments: () -> OpaquePointer? = { nil },
        completion: @escaping @LoopActor (String?) -> Void
    ) {
        guard let connection else { return completion("there is no system bus") }
        last += 1
        let number = last
        calls[number] = PendingCall.method(
            method, of: interface, at: path, Logind.name, arguments: arguments(), on: connection
        ) { [weak self] outcome in
            self?.calls[number] = nil
            switch outcome {
            case .success: completion(nil)
            case .failure(let error): completion("\(error)")
            }
        }
    }
}

extension LogindControl: BusSubscriber {
    func busConnected(_ connection: OpaquePointer) { self.connection = connection }

    func busDisconnected() {
        connection = nil
        calls = [:]
    }
}
