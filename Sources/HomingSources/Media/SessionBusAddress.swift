internal import Glibc

extension SystemBus {
    /// Where the session bus of our user is; `nil` for a system service, which has none.
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
