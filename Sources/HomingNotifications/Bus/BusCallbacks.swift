internal import CGLib
internal import HomingRuntime

/// A failed call or connection, in GIO's words.
struct BusError: Error, Equatable, CustomStringConvertible {
    var description: String
}

/// Where GDBus's callbacks end up. GLib calls them on the loop's thread and frees them there.
final class Listener {
    private let told: @LoopActor (SessionBus.Event) -> Void

    init(_ told: @escaping @LoopActor (SessionBus.Event) -> Void) { self.told = told }

    static func release(_ box: UnsafeMutableRawPointer?) {
        if let box { Unmanaged<Listener>.fromOpaque(box).release() }
    }

    static func tell(_ event: SessionBus.Event, _ box: UnsafeMutableRawPointer?) {
        guard let box else { return }
        let lent = Lent((Unmanaged<Listener>.fromOpaque(box), event))
        LoopActor.assumeIsolated { lent.value.0.takeUnretainedValue().told(lent.value.1) }
    }

    static func signal(
        _ name: UnsafePointer<CChar>?, _ arguments: OpaquePointer?, _ box: UnsafeMutableRawPointer?
    ) {
        guard let name, let arguments else { return }
        tell(.signal(String(cString: name), BusReader(tuple: arguments)), box)
    }
}

/// A call whose reply is on its way.
final class PendingReply {
    private let connection: OpaquePointer
    private let completion: @LoopActor (Result<BusReader, BusError>) -> Void

    init(
        _ connection: OpaquePointer,
        _ completion: @escaping @LoopActor (Result<BusReader, BusError>) -> Void
    ) {
        self.connection = connection
        self.completion = completion
        g_object_ref(UnsafeMutableRawPointer(connection))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(connection)) }

    static func receive(_ result: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
        guard let box else { return }
        let pending = Unmanaged<PendingReply>.fromOpaque(box).takeRetainedValue()
        var error: UnsafeMutablePointer<GError>?
        let reply = g_dbus_connection_call_finish(pending.connection, result, &error)
        let answer: Result<BusReader, BusError> =
            reply.map { .success(BusReader(tuple: $0)) } ?? .failure(BusError(taking: &error))
        let lent = Lent((pending, answer))
        LoopActor.assumeIsolated { lent.value.0.completion(lent.value.1) }
        if let reply { g_variant_unref(reply) }
    }
}

/// A connection that is being made.
final class PendingBus {
    private let completion: @LoopActor (Result<OpaquePointer, BusError>) -> Void

    init(_ completion: @escaping @LoopActor (Result<OpaquePointer, BusError>) -> Void) {
        self.completion = completion
    }

    static func receive(_ result: OpaquePointer?, _ box: UnsafeMutableRawPointer?) {
        guard let box else { return }
        let pending = Unmanaged<PendingBus>.fromOpaque(box).takeRetainedValue()
        var error: UnsafeMutablePointer<GError>?
        let connection = g_dbus_connection_new_for_address_finish(result, &error)
        let outcome: Result<OpaquePointer, BusError> =
            connection.map { .success($0) } ?? .failure(BusError(taking: &error))
        let lent = Lent((pending, outcome))
        LoopActor.assumeIsolated { lent.value.0.completion(lent.value.1) }
    }
}

extension BusError {
    fileprivate init(taking error: inout UnsafeMutablePointer<GError>?) {
        defer { g_clear_error(&error) }
        description = error?.pointee.message.map { String(cString: $0) } ?? "unknown error"
    }
}
