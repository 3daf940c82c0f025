internal import CNetworkManager
internal import HomingBase
internal import HomingMachine
internal import HomingRuntime

extension NetworkManagerClient {
    /// Flags of connections that NetworkManager made by itself.
    private static let automatic =
        NM_SETTINGS_CONNECTION_FLAG_NM_GENERATED.rawValue
        | NM_SETTINGS_CONNECTION_FLAG_VOLATILE.rawValue
        | NM_SETTINGS_CONNECTION_FLAG_EXTERNAL.rawValue

    /// The links, by the mirror and the table of neighbours; `nil` while NetworkManager is away.
    func links(_ neighbours: NeighbourTable) -> NetworkLinks? {
        guard nm_client_get_nm_running(client) != 0 else { return nil }
        let links = objects(nm_client_get_active_connections(client)).compactMap {
            link($0, neighbours)
        }.prefix(Bound.connections)
        return NetworkLinks(
            links.sorted { $0.uuid < $1.uuid },
            connectivity: Connectivity(nm_client_get_connectivity(client)),
            isResolving: links.contains(where: Self.isResolving))
    }

    /// The addresses of a connection, by IPv4 and by IPv6, as far as the connection has them.
    func configurations(_ active: OpaquePointer) -> [OpaquePointer] {
        [
            nm_active_connection_get_ip4_config(active),
            nm_active_connection_get_ip6_config(active),
        ].compactMap { $0 }
    }

    private func link(_ active: OpaquePointer, _ neighbours: NeighbourTable) -> NetworkLink? {
        let configurations = configurations(active)
        let gateways = configurations.compactMap { nm_ip_config_get_gateway($0) }
            .map { text($0) }.filter { !$0.isEmpty }
        guard nm_active_connection_get_state(active) == NM_ACTIVE_CONNECTION_STATE_ACTIVATED,
            !gateways.isEmpty, !Self.isTunnel(active),
            let type = nm_active_connection_get_connection_type(active).map({ String(cString: $0) })
        else { return nil }
        let devices = objects(nm_active_connection_get_devices(active))
        // A modem's packets have an interface of their own.
        let interfaces = devices.flatMap { [nm_device_get_ip_iface($0), nm_device_get_iface($0)] }
            .compactMap { $0.map { String(cString: $0) } }
        let gateway = gateways.lazy.flatMap { gateway in
            interfaces.lazy.compactMap { neighbours.hardwareAddress(of: gateway, on: $0) }
        }.first
        return NetworkLink(
            medium: medium(type, devices), id: text(nm_active_connection_get_id(active)),
            uuid: text(nm_active_connection_get_uuid(active)), isAutomatic: isAutomatic(active),
            networks: configurations.flatMap { networks($0) }, gateways: gateways, gateway: gateway)
    }

    /// A modem has no gateway with a hardware address, and `/proc/net/arp` knows IPv4 alone.
    nonisolated private static func isResolving(_ link: NetworkLink) -> Bool {
        link.gateway == nil && link.medium != .other
            && link.gateways.contains { IPAddress($0)?.isFour ?? false }
    }

    private func medium(_ type: String, _ devices: [OpaquePointer]) -> NetworkLink.Medium {
        if type == NM_SETTING_WIRELESS_SETTING_NAME {
            let point = devices.first(where: Self.isWiFi)
                .flatMap { nm_device_wifi_get_active_access_point($0) }
            return .wifi(
                ssid: point.flatMap { nm_access_point_get_ssid($0) }.flatMap(ssid),
                bssid: point.flatMap { nm_access_point_get_bssid($0) }.map {
                    text($0).uppercased()
                })
        }
        return PrimaryConnection.cableTypes.contains(type) ? .cable : .other
    }

    private func isAutomatic(_ active: OpaquePointer) -> Bool {
        guard let connection = nm_active_connection_get_connection(active) else { return false }
        return nm_remote_connection_get_flags(connection).rawValue & Self.automatic != 0
    }

    private func networks(_ configuration: OpaquePointer) -> [IPNetwork] {
        objects(nm_ip_config_get_addresses(configuration)).prefix(Bound.addresses).compactMap {
            entry in
            nm_ip_address_get_address(entry).flatMap { IPAddress(String(cString: $0)) }.map {
                IPNetwork($0, prefix: Int(nm_ip_address_get_prefix(entry)))
            }
        }
    }
}
