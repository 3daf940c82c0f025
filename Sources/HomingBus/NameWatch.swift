internal import CGIO
public import HomingRuntime

/// Notices who owns a name on a bus, now and whenever that changes; ended when let go.
@LoopActor public final class NameWatch {
    private typealias Handler = @LoopActor (String?) -> Void

    private let identifier: guint

    /// - Parameter changed: gets the bus's own name of the owner, which no other gets while the bus
    ///   lives; `nil` where nobody owns the name, or the bus is gone.
    public init(
        _ name: String, on connection: OpaquePointer,
        changed: @escaping @LoopActor (String?) -> Void
    ) {
        identifier = g_bus_watch_name_on_connection(
            connection, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
            { _, _, owner, box in NameWatch.receive(owner.map { String(cString: $0) }, box) },
            { _, _, box in NameWatch.receive(nil, box) },
            Box<Handler>.retain(changed), releaseBox)
    }

    deinit { g_bus_unwatch_name(identifier) }

    nonisolated private static func receive(_ owner: String?, _ box: UnsafeMutableRawPointer?) {
        guard let box else { return }
        let handler = Box<Handler>.value(box)
        LoopActor.assumeIsolated { handler(owner) }
    }
}
