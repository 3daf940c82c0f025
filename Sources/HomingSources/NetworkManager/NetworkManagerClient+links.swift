internal import CNetworkManager
internal import HomingBase
internal import HomingMachine

extension NetworkManagerClient {
    /// Makes of connections that are NetworkManager's own.
    private static let automatic =
        NM_SETTINGS_CONNECTION_FLAG_NM_GENERATED.rawValue
        | NM_SETTINGS_CONNECTION_FLAG_VOLATILE.rawValue
        | NM_SETTINGS_CONNECTION_FLAG_EXTERNAL.rawValue

    /// The links, by the mirror and the table of neighbours; `nil` while NetworkManager is away.
    func links(_ neighbours: NeighbourTable) -> NetworkLinks? {
        guard nm_client_get_nm_running(client) != 0 else { return nil }
        var isResolving = false
        let links = objects(nm_client_get_active_connections(client)).filter(Self.isActivated)
            .prefix(Bound.connections).compactMap { link($0, neighbours, &isResolving) }
        return NetworkLinks(
            links.sorted { $0.uuid < $1.uuid },
            connectivity: Connectivity(nm_client_get_connectivity(client)),
            isResolving: isResolving)
    }

    private static func isActivated(_ active: OpaquePointer) -> Bool {
        nm_active_connection_get_state(active) == NM_ACTIVE_CONNECTION_STATE_ACTIVATED
    }

    private func link(
        _ active: OpaquePointer, _ neighbours: NeighbourTable, _ isResolving: inout Bool
    ) -> NetworkLink? {
        let configurations = [
            nm_active_connection_get_ip4_config(active),
            nm_active_connection_get_ip6_config(active),
        ].compactMap { $0 }
        let gateways = configurations.compactMap { nm_ip_config_get_gateway($0) }
            .map { String(cString: $0) }.filter { !$0.isEmpty }
        guard !gateways.isEmpty, !Self.isTunnel(active),
            let type = nm_active_connection_get_connection_type(active).map({ String(cString: $0) })
        else { return nil }
        let devices = objects(nm_active_connection_get_devices(active))
        // A modem's packets have an interface of their own.
        let interfaces = devices.flatMap { [nm_device_get_ip_iface($0), nm_device_get_iface($0)] }
            .compactMap { $0.map { String(cString: $0) } }
        let gateway = gateways.lazy.flatMap { gateway in
            interfaces.lazy.compactMap { neighbours.hardwareAddress(of: gateway, on: $0) }
        }.first
        if gateway == nil, gateways.contains(where: { $0.utf8.contains(UInt8(ascii: ".")) }) {
            isResolving = true
        }
        return NetworkLink(
            medium: medium(type, devices), id: text(nm_active_connection_get_id(active)),
            uuid: text(nm_active_connection_get_uuid(active)), isAutomatic: isAutomatic(active),
            addresses: configurations.flatMap(addresses), gateway: gateway)
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

    private func addresses(_ configuration: OpaquePointer) -> [String] {
        objects(nm_ip_config_get_addresses(configuration)).prefix(Bound.addresses).compactMap {
            nm_ip_address_get_address($0).map { String(cString: $0) }
        }
    }
}
