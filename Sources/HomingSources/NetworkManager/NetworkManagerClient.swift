internal import CGIO
internal import CNetworkManager
internal import HomingBus
internal import HomingMachine
internal import HomingRuntime

/// libnm's NMClient, a mirror of NetworkManager's objects, and the handlers of what we look at.
///
/// It outlives a restart of NetworkManager (`nm-running` tells), but not of the bus.
@LoopActor final class NetworkManagerClient {
    /// Signals of NMClient that bear on `NetworkState`, in the words of its properties and signals.
    private static let signals = [
        "notify::nm-running", "notify::primary-connection", "notify::connectivity",
        "notify::metered",
    ]

    /// Client that only the loop's thread touches, but `deinit` is not isolated.
    nonisolated(unsafe) let client: OpaquePointer
    private let changed: @LoopActor () -> Void
    private var clientHandlers: [SignalHandler] = []
    private var connectionHandlers: [SignalHandler] = []
    private var addressHandlers: [SignalHandler] = []
    private var deviceHandlers: [SignalHandler] = []

    /// Takes over a reference to an NMClient; `changed` is called when a new snapshot may differ.
    init(_ client: OpaquePointer, changed: @escaping @LoopActor () -> Void) {
        self.client = client
        self.changed = changed
        let object = UnsafeMutableRawPointer(client)
        clientHandlers = Self.signals.map { SignalHandler(object, $0, changed) }
        clientHandlers += ["device-added", "device-removed"].map { signal in
            SignalHandler(object, signal) { [weak self] in
                self?.watchDevices()
                changed()
            }
        }
        clientHandlers.append(
            SignalHandler(object, "notify::active-connections") { [weak self] in
                self?.watchConnections()
                changed()
            })
        watchDevices()
        watchConnections()
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(client)) }

    /// Starts to make a client on a GDBusConnection.
    static func make(
        on connection: OpaquePointer, changed: @escaping @LoopActor () -> Void,
        completion: @escaping @LoopActor (Result<NetworkManagerClient, GLibError>) -> Void
    ) -> PendingCall {
        PendingCall(
            { homing_nm_client_new_async(connection, $0, $1, $2) },
            finish: { result in GLibError.check { nm_client_new_finish(result, &$0) } },
            discard: { g_object_unref(UnsafeMutableRawPointer($0)) },
            completion: { outcome in
                completion(outcome.map { NetworkManagerClient($0, changed: changed) })
            })
    }

    /// Returns the present state of the network, by the mirror.
    func state(_ files: HostFiles) -> NetworkState {
        guard nm_client_get_nm_running(client) != 0 else { return .unknown }
        let primary = nm_client_get_primary_connection(client).flatMap(primaryConnection)
        let hasAddress = primary != nil || HostAddresses(files).areReachable
        return .known(
            NetworkState.Network(
                primary: primary,
                connectivity: Connectivity(nm_client_get_connectivity(client)),
                metered: [NM_METERED_YES, NM_METERED_GUESS_YES]
                    .contains(nm_client_get_metered(client)),
                hasAddress: hasAddress,
                hostName: hasAddress ? nil : files.line("/proc/sys/kernel/hostname")))
    }

    private func watchDevices() {
        let handlers = objects(nm_client_get_devices(client))
            .filter(Self.isWiFi)
            .map {
                SignalHandler(
                    UnsafeMutableRawPointer($0), "notify::active-access-point", changed)
            }
        replace(\.deviceHandlers, by: handlers)
    }

    /// Objects that are let go may signal once more: by then the other handlers are in place.
    private func replace(
        _ list: ReferenceWritableKeyPath<NetworkManagerClient, [SignalHandler]>,
        by handlers: [SignalHandler]
    ) {
        let last = self[keyPath: list]
        self[keyPath: list] = handlers
        withExtendedLifetime(last) {}
    }

    /// A VPN is among the active connections before it is up.
    private func watchConnections() {
        let connections = objects(nm_client_get_active_connections(client))
        let handlers = connections.flatMap { active in
            let object = UnsafeMutableRawPointer(active)
            return [SignalHandler(object, "notify::state", changed)]
                + ["notify::ip4-config", "notify::ip6-config"].map { signal in
                    SignalHandler(object, signal) { [weak self] in
                        self?.watchAddresses()
                        self?.changed()
                    }
                }
        }
        replace(\.connectionHandlers, by: handlers)
        watchAddresses()
    }

    /// NetworkManager changes the addresses of a connection in place, as when DHCP answers.
    private func watchAddresses() {
        let connections = objects(nm_client_get_active_connections(client))
        let handlers = connections.flatMap { configurations($0) }.flatMap { configuration in
            ["notify::gateway", "notify::addresses"].map {
                SignalHandler(UnsafeMutableRawPointer(configuration), $0, changed)
            }
        }
        replace(\.addressHandlers, by: handlers)
    }

    private func primaryConnection(_ active: OpaquePointer) -> PrimaryConnection? {
        guard let type = nm_active_connection_get_connection_type(active) else { return nil }
        let id = text(nm_active_connection_get_id(active))
        let uuid = text(nm_active_connection_get_uuid(active))
        switch String(cString: type) {
        case NM_SETTING_WIRELESS_SETTING_NAME:
            return wifi(objects(nm_active_connection_get_devices(active)).first(where: Self.isWiFi))
        case NM_SETTING_WIRED_SETTING_NAME: return .wired(id: id, uuid: uuid)
        case let other: return .other(type: other, id: id, uuid: uuid)
        }
    }

    private func wifi(_ device: OpaquePointer?) -> PrimaryConnection {
        guard let device, let accessPoint = nm_device_wifi_get_active_access_point(device) else {
            return .wifi(ssid: nil, bssid: nil)
        }
        return .wifi(
            ssid: nm_access_point_get_ssid(accessPoint).flatMap(ssid),
            bssid: nm_access_point_get_bssid(accessPoint).map { text($0).uppercased() })
    }

    /// An SSID is up to 32 bytes of anything: what is not UTF-8 in it is shown as U+FFFD. A hidden
    /// one has no bytes, or only zeros.
    func ssid(_ bytes: OpaquePointer) -> String? {
        var count: gsize = 0
        guard let start = g_bytes_get_data(bytes, &count) else { return nil }
        let buffer = UnsafeRawBufferPointer(start: start, count: Int(count))
        guard buffer.contains(where: { $0 != 0 }) else { return nil }
        return String(decoding: buffer.prefix(32), as: UTF8.self)
    }

    func text(_ characters: UnsafePointer<CChar>?) -> String {
        characters.map { String(cString: $0).bounded(Bound.name) } ?? ""
    }

    func objects(_ array: UnsafePointer<GPtrArray>?) -> [OpaquePointer] {
        guard let array = array?.pointee, let first = array.pdata else { return [] }
        return UnsafeBufferPointer(start: first, count: Int(array.len))
            .compactMap { OpaquePointer($0) }
    }

    nonisolated static func isWiFi(_ device: OpaquePointer) -> Bool {
        let instance = UnsafeMutablePointer<GTypeInstance>(device)
        return g_type_check_instance_is_a(instance, nm_device_wifi_get_type()) != 0
    }
}

extension Connectivity {
    /// Reads NMConnectivityState.
    init(_ state: NMConnectivityState) {
        switch state {
        case NM_CONNECTIVITY_NONE: self = .none
        case NM_CONNECTIVITY_PORTAL: self = .portal
        case NM_CONNECTIVITY_LIMITED: self = .limited
        case NM_CONNECTIVITY_FULL: self = .full
        default: self = .unknown
        }
    }
}
