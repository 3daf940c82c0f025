internal import CGIO
public import HomingRuntime

/// A handler of a GObject's signal; keeps the object, and is disconnected when let go.
@LoopActor public final class SignalHandler {
    private typealias Handler = @LoopActor () -> Void

    /// Object that only the loop's thread touches, but `deinit` is not isolated.
    nonisolated(unsafe) private let object: UnsafeMutableRawPointer
    private let identifier: gulong

    /// Connects to a signal such as `closed` or `notify::metered`; its arguments are not passed on.
    public init(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ run: @escaping @LoopActor () -> Void
    ) {
        self.object = object
        g_object_ref(object)
        identifier = homing_connect_swapped(
            object, signal,
            { box in
                guard let box else { return }
                let handler = Box<Handler>.value(box)
                LoopActor.assumeIsolated { handler() }
            },
            Box<Handler>.retain(run), { box, _ in releaseBox(box) })
    }

    deinit {
        g_signal_handler_disconnect(object, identifier)
        g_object_unref(object)
    }
}
