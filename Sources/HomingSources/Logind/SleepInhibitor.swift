internal import CGIO
internal import Glibc
internal import HomingBus
internal import HomingRuntime

/// Makes logind wait with sleep: a lock of mode `delay` (systemd-inhibit(1)), held while the
/// descriptor is open. Logind waits no longer than its `InhibitDelayMaxSec`, 5 s by default.
@LoopActor final class SleepInhibitor {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Asks logind on a GDBusConnection for it; a logind that does not run is not started.
    static func requestInhibitor(
        on connection: OpaquePointer,
        completion: @escaping @LoopActor (Result<SleepInhibitor, GLibError>) -> Void
    ) -> PendingCall {
        let words = [
            "sleep", "Homing", "Sends the last locations before the machine sleeps", "delay",
        ]
        let tuple = BusArgument.tuple(words.map { .string($0) })
        return PendingCall(
            {
                g_dbus_connection_call_with_unix_fd_list(
                    connection, Logind.name, Logind.path, Logind.interface, "Inhibit", tuple,
                    nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, nil, $0, $1, $2)
            },
            finish: { result in read(result, connection) },
            completion: completion)
    }

    private static func read(
        _ result: OpaquePointer?, _ connection: OpaquePointer
    ) -> Result<SleepInhibitor, GLibError> {
        var list: UnsafeMutablePointer<GUnixFDList>?
        return GLibError.check {
            g_dbus_connection_call_with_unix_fd_list_finish(connection, &list, result, &$0)
        }.flatMap { reply in
            defer {
                g_variant_unref(reply)
                if let list { g_object_unref(list) }
            }
            guard case .handle(let index)? = BusValue(reply).list?.first, let list else {
                return .failure(GLibError("no descriptor came"))
            }
            return descriptor(index, in: list)
        }
    }

    /// The list keeps its descriptor; this is one of our own, closed on exec.
    private static func descriptor(
        _ index: Int32, in list: UnsafeMutablePointer<GUnixFDList>
    ) -> Result<SleepInhibitor, GLibError> {
        var error: UnsafeMutablePointer<GError>?
        let descriptor = g_unix_fd_list_get(list, index, &error)
        return descriptor >= 0
            ? .success(SleepInhibitor(descriptor)) : .failure(.readAndFreeError(&error))
    }
}
