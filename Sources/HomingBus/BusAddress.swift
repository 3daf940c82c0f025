internal import CGIO
internal import Glibc

extension Bus {
    /// Choice of the bus.
    public enum Place: Sendable {
        /// `DBUS_SYSTEM_BUS_ADDRESS`, else the well-known one.
        case system
        /// The session bus of our user, as `sessionAddress()` finds it.
        case session
        /// A D-Bus address, such as `unix:path=/run/bus`.
        case at(String)

        func address() -> Result<String, GLibError> {
            switch self {
            case .at(let address): return .success(address)
            case .session:
                return Bus.sessionAddress().map { .success($0) }
                    ?? .failure(GLibError("there is no session bus"))
            case .system:
                return GLibError.check {
                    g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, nil, &$0)
                }
                .map { text in
                    defer { g_free(text) }
                    return String(cString: text)
                }
            }
        }

        /// The words for people.
        var title: String { if case .system = self { "system bus" } else { "session bus" } }
    }

    /// Finds the session bus of our user; `nil` for a system service, which has no such bus.
    ///
    /// It is `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR`. Nothing is
    /// started to get one.
    nonisolated public static func sessionAddress() -> String? {
        sessionAddress { getenv($0).map { String(cString: $0) } }
    }

    /// The same by an environment other than ours.
    nonisolated static func sessionAddress(_ variable: (String) -> String?) -> String? {
        if let given = variable("DBUS_SESSION_BUS_ADDRESS"), !given.isEmpty { return given }
        guard let folder = variable("XDG_RUNTIME_DIR"), !folder.isEmpty else { return nil }
        let socket = "\(folder)/bus"
        return access(socket, F_OK) == 0 ? "unix:path=\(socket)" : nil
    }
}
