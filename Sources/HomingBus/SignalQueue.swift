internal import CGLib
internal import HomingRuntime

/// The signals of one service, kept until they are asked for; for the thread that made it.
public final class SignalQueue {
    /// A signal: the object it came from, its name and its arguments.
    public struct Signal: Sendable {
        public let path: String
        public let name: String
        public let arguments: [BusValue]
    }

    private final class Box {
        var signals: [Signal] = []
    }

    private let bus: BlockingBus
    private let context: OpaquePointer
    private let box = Box()
    private let subscription: guint

    /// Listens from now on.
    public init(_ bus: BlockingBus, sender: String, interface: String) {
        self.bus = bus
        context = g_main_context_new()
        // GIO delivers signals where the subscription was made.
        g_main_context_push_thread_default(context)
        let received: GDBusSignalCallback = { _, _, path, _, name, arguments, box in
            guard let box, let path, let name, let arguments else { return }
            Unmanaged<Box>.fromOpaque(box).takeUnretainedValue().signals.append(
                Signal(
                    path: String(cString: path), name: String(cString: name),
                    arguments: BusValue(arguments).list ?? []))
        }
        subscription = g_dbus_connection_signal_subscribe(
            bus.connection, sender, interface, nil, nil, nil, G_DBUS_SIGNAL_FLAGS_NONE, received,
            Unmanaged.passUnretained(box).toOpaque(), nil)
        g_main_context_pop_thread_default(context)
    }

    deinit {
        g_dbus_connection_signal_unsubscribe(bus.connection, subscription)
        g_main_context_unref(context)
    }

    /// The next one; `nil` if there is none by that uptime.
    public func next(until deadline: Double) -> Signal? {
        while box.signals.isEmpty {
            let left = deadline - SystemClock.now().uptime
            guard left > 0 else { return nil }
            if g_main_context_iteration(context, 0) == 0 { g_usleep(gulong(min(left, 0.02) * 1e6)) }
        }
        return box.signals.removeFirst()
    }
}
