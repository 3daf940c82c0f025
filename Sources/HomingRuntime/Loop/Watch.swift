public import CGLib

/// A source of the loop: a timer, a descriptor or a signal. Cancelled when let go.
@LoopActor public final class Watch {
    /// Decision of a handler about the next call.
    public enum Next: Sendable {
        case again
        case done
    }

    private typealias Handler = @LoopActor () -> Next

    /// Source that only the loop's thread touches, but `deinit` is not isolated.
    nonisolated(unsafe) private var source: UnsafeMutablePointer<GSource>?

    private init(
        _ source: UnsafeMutablePointer<GSource>, descriptor: Bool,
        _ handler: @escaping @LoopActor () -> Next
    ) {
        let onDescriptor: GUnixFDSourceFunc = { _, _, box in Watch.fire(box) }
        let callback: GSourceFunc =
            descriptor ? unsafeBitCast(onDescriptor, to: GSourceFunc.self) : { Watch.fire($0) }
        self.source = source
        g_source_set_callback(source, callback, Box<Handler>.retain(handler), releaseBox)
        // Handlers do not run the loop themselves. Without this GLib blocks the descriptor around
        // each dispatch and wakes itself to do so.
        g_source_set_can_recurse(source, 1)
        g_source_attach(source, EventLoop.main.context)
    }

    nonisolated private static func fire(_ box: UnsafeMutableRawPointer?) -> gboolean {
        guard let box else { return 0 }
        let handler = Box<Handler>.value(box)
        let next = LoopActor.assumeIsolated { handler() }
        return next == .again ? 1 : 0
    }

    /// Fires whenever the descriptor is ready for what `condition` names.
    public static func descriptor(
        _ descriptor: Int32, _ condition: GIOCondition, _ handler: @escaping @LoopActor () -> Next
    ) -> Watch {
        Watch(g_unix_fd_source_new(descriptor, condition), descriptor: true, handler)
    }

    /// Fires whenever there is something to read, or the other end has gone.
    public static func readable(
        _ descriptor: Int32, _ handler: @escaping @LoopActor () -> Next
    ) -> Watch {
        Watch.descriptor(descriptor, G_IO_IN, handler)
    }

    /// Fires after `seconds`, to the millisecond; not counting time asleep.
    public static func timer(
        _ seconds: Seconds, _ handler: @escaping @LoopActor () -> Next
    ) -> Watch {
        let milliseconds = (max(0, min(seconds, 4_000_000)) * 1000).rounded(.up)
        return Watch(g_timeout_source_new(guint(milliseconds)), descriptor: false, handler)
    }

    /// Fires once, as `timer` does.
    public static func once(
        after seconds: Seconds, _ handler: @escaping @LoopActor () -> Void
    ) -> Watch { timer(seconds, ending(handler)) }

    /// A handler that wants nothing next.
    static func ending(_ handler: @escaping @LoopActor () -> Void) -> @LoopActor () -> Next {
        return {
            handler()
            return .done
        }
    }

    /// Lets the loop turn for so long.
    public static func pause(_ seconds: Seconds) async {
        var watch: Watch?
        await withCheckedContinuation { continuation in
            watch = once(after: seconds) { continuation.resume() }
        }
        watch?.cancel()
    }

    /// Fires after whole `seconds`, together with other timers of its kind: for what need not be
    /// exact, so that the process wakes once for several.
    public static func slowTimer(
        _ seconds: Seconds, _ handler: @escaping @LoopActor () -> Next
    ) -> Watch {
        let whole = max(1, min(seconds, 4_000_000)).rounded()
        return Watch(g_timeout_source_new_seconds(guint(whole)), descriptor: false, handler)
    }

    /// Fires when the process gets the signal.
    public static func signal(_ number: Int32, _ handler: @escaping @LoopActor () -> Next) -> Watch
    {
        Watch(g_unix_signal_source_new(number), descriptor: false, handler)
    }

    /// Stops it for good; the handler is let go.
    nonisolated public func cancel() {
        guard let source else { return }
        g_source_destroy(source)
        g_source_unref(source)
        self.source = nil
    }

    deinit { cancel() }
}
