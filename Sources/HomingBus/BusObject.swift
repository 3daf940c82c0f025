internal import CGIO
public import HomingRuntime

/// The properties of one interface of one object on the bus, as GDBusProxy keeps them. Told of are
/// changes of them, signals of the interface, and its service's coming and going.
@LoopActor public final class BusObject {
    /// Proxy that only the loop's thread touches, but `deinit` is not isolated.
    nonisolated(unsafe) private let proxy: UnsafeMutablePointer<GDBusProxy>
    /// Place of the object.
    public let place: BusObjectSet.Place
    private var handlers: [SignalHandler] = []
    /// The first part of each property that is too large for the proxy.
    private var large: [String: BusValue] = [:]

    private init(
        _ proxy: UnsafeMutablePointer<GDBusProxy>, at place: BusObjectSet.Place,
        changed: @escaping @LoopActor () -> Void
    ) {
        self.proxy = proxy
        self.place = place
        handlers = ["g-properties-changed", "g-signal", "notify::g-name-owner"].map {
            SignalHandler(proxy, $0) { [weak self] in
                self?.trim()
                changed()
            }
        }
        trim()
    }

    /// Any program of a session may call itself a player: what is kept of it is bounded.
    private func trim() {
        if !isOwned { large = [:] }
        for (index, name) in names.enumerated() {
            guard let value = g_dbus_proxy_get_cached_property(proxy, name) else { continue }
            defer { g_variant_unref(value) }
            let size = g_variant_get_size(value)
            large[name] = nil
            if size <= Bound.busProperty, index < Bound.busObjects { continue }
            var room = Bound.largeBusProperty
            if index < Bound.busObjects { large[name] = BusValue(value).within(&room) }
            g_dbus_proxy_set_cached_property(proxy, name, nil)
        }
    }

    /// Names of the properties that the proxy keeps, in order.
    private var names: [String] {
        guard let names = g_dbus_proxy_get_cached_property_names(proxy) else { return [] }
        defer { g_strfreev(names) }
        var texts: [String] = []
        while let name = names[texts.count] { texts.append(String(cString: name)) }
        return texts
    }

    deinit { g_object_unref(proxy) }

    /// Starts to look at an object on a GDBusConnection. Its service is never started by that, and
    /// need not run: the properties come and go with it.
    static func look(
        at place: BusObjectSet.Place, on connection: OpaquePointer,
        changed: @escaping @LoopActor () -> Void,
        completion: @escaping @LoopActor (Result<BusObject, GLibError>) -> Void
    ) -> PendingCall {
        let flags = G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START
        return PendingCall(
            {
                g_dbus_proxy_new(
                    connection, flags, nil, place.service, place.path, place.interface, $0, $1, $2)
            },
            finish: { result in GLibError.check { g_dbus_proxy_new_finish(result, &$0) } },
            discard: { g_object_unref($0) },
            completion: { completion($0.map { BusObject($0, at: place, changed: changed) }) })
    }

    /// Whether its service runs.
    public var isOwned: Bool {
        guard let owner = g_dbus_proxy_get_name_owner(proxy) else { return false }
        g_free(owner)
        return true
    }

    /// All properties the service has told.
    public var properties: [String: BusValue] {
        var values = large
        for name in names {
            guard let value = g_dbus_proxy_get_cached_property(proxy, name) else { continue }
            values[name] = BusValue(value)
            g_variant_unref(value)
        }
        return values
    }
}
