internal import Glibc

extension SystemBus {
    /// Where the session bus of our user is; `nil` for a system service, which has none.
    ///
    /// It is `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR`. Nothing is
    /// started to get one.
    nonisolated public static var sessionAddress: String? {
        if let given = getenv("DBUS_SESSION_BUS_ADDRESS"), given.pointee != 0 {
            return String(cString: given)
        }
        guard let folder = getenv("XDG_RUNTIME_DIR"), folder.pointee != 0 else { return nil }
        let socket = "\(String(cString: folder))/bus"
        return access(socket, F_OK) == 0 ? "unix:path=\(socket)" : nil
    }
}
