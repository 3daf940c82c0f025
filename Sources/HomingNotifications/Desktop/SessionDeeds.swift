internal import Glibc
public import HomingRuntime

/// Has logind lock the screen or suspend the machine, as the user of a session may.
@LoopActor public final class SessionDeeds {
    private let bus: SessionBus
    private var underWay = 0
    private static let path = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"

    /// The system bus is `DBUS_SYSTEM_BUS_ADDRESS`, else the well-known one.
    public init() {
        let given = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
        bus = SessionBus(
            address: given ?? "unix:path=/run/dbus/system_bus_socket",
            service: SessionBus.Service(
                name: "org.freedesktop.login1", path: Self.path, interface: Self.manager)
        ) { _ in }
    }

    /// Locks our session.
    ///
    /// - Parameter completion: gets logind's reason if it does not.
    public func lock(completion: @escaping @LoopActor (String?) -> Void) {
        let session = ("\(Self.path)/session/auto", "org.freedesktop.login1.Session")
        underWay += 1
        bus.call("Lock", of: session) { [weak self] result in
            guard let self else { return }
            guard case .failure = result else { return self.end(result, completion) }
            self.bus.call("LockSessions") { [weak self] in self?.end($0, completion) }
        }
    }

    /// Suspends the machine, without asking anybody for a password.
    ///
    /// - Parameter completion: gets logind's reason if it does not.
    public func suspend(completion: @escaping @LoopActor (String?) -> Void) {
        underWay += 1
        bus.call("Suspend", [.boolean(false)]) { [weak self] in self?.end($0, completion) }
    }

    private func end(
        _ result: Result<BusReader, BusError>, _ completion: @LoopActor (String?) -> Void
    ) {
        switch result {
        case .success: completion(nil)
        case .failure(let error): completion(error.description)
        }
        underWay -= 1
        // What is asked once in a while needs no connection of its own for ever.
        if underWay == 0 { bus.close() }
    }
}
