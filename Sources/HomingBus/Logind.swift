public import HomingRuntime

/// logind's names on the bus (org.freedesktop.login1(5)).
public enum Logind {
    public static let name = "org.freedesktop.login1"
    public static let path = "/org/freedesktop/login1"
    public static let interface = "org.freedesktop.login1.Manager"
}

/// Asks logind to lock the screen or to suspend the machine.
///
/// Whether we may is logind's and polkit's to say: the user of a session may lock it, and suspend
/// while it is in front; a system service needs a rule of polkit's.
@LoopActor public struct LogindControl {
    private let bus: Bus

    /// - Parameter bus: the system bus, open or not.
    public init(bus: Bus) { self.bus = bus }

    /// Locks our user's session, or every one where we have none.
    ///
    /// - Parameter completion: gets logind's reason if it does not.
    public func lock(completion: @escaping @LoopActor (String?) -> Void) {
        call("Lock", of: "\(Logind.name).Session", at: "\(Logind.path)/session/auto") { problem in
            guard problem != nil else { return completion(nil) }
            call("LockSessions", completion: completion)
        }
    }

    /// Suspends the machine, without asking anybody for a password.
    ///
    /// - Parameter completion: gets logind's reason if it does not.
    public func suspend(completion: @escaping @LoopActor (String?) -> Void) {
        call("Suspend", [.boolean(false)], completion: completion)
    }

    private func call(
        _ method: String, of interface: String = Logind.interface, at path: String = Logind.path,
        _ arguments: [BusArgument] = [], completion: @escaping @LoopActor (String?) -> Void
    ) {
        bus.call(method, of: interface, at: path, Logind.name, arguments) { outcome in
            switch outcome {
            case .success: completion(nil)
            case .failure(let error): completion("\(error)")
            }
        }
    }
}
