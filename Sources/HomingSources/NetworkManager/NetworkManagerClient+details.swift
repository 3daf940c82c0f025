internal import CNetworkManager
internal import HomingBase
internal import HomingMachine

extension NetworkManagerClient {
    /// Types of connections that lead elsewhere. Tailscale's and its like are `tun`.
    private static let tunnels = [
        NM_SETTING_VPN_SETTING_NAME, NM_SETTING_WIREGUARD_SETTING_NAME, NM_SETTING_TUN_SETTING_NAME,
    ]

    /// Details of the network for sensors, by the mirror; `nil` while NetworkManager is away.
    var details: NetworkDetails? {
        guard nm_client_get_nm_running(client) != 0 else { return nil }
        let radios = objects(nm_client_get_devices(client)).filter(Self.isWiFi)
        return NetworkDetails(
            hasWiFi: !radios.isEmpty,
            wifi: radios.lazy.compactMap { nm_device_wifi_get_active_access_point($0) }.first
                .map(wifi),
            connection: nm_client_get_primary_connection(client).map {
                text(nm_active_connection_get_id($0))
            },
            vpns: objects(nm_client_get_active_connections(client)).filter { Self.isTunnel($0) }
                .prefix(Bound.connections).map { text(nm_active_connection_get_id($0)) }.sorted())
    }

    private func wifi(_ accessPoint: OpaquePointer) -> NetworkDetails.WiFi {
        NetworkDetails.WiFi(
            ssid: nm_access_point_get_ssid(accessPoint).flatMap(ssid),
            bssid: text(nm_access_point_get_bssid(accessPoint)).uppercased(),
            quality: Int(nm_access_point_get_strength(accessPoint)),
            frequency: Int(nm_access_point_get_frequency(accessPoint)))
    }

    static func isTunnel(_ active: OpaquePointer) -> Bool {
        guard nm_active_connection_get_state(active) == NM_ACTIVE_CONNECTION_STATE_ACTIVATED,
            let type = nm_active_connection_get_connection_type(active)
        else { return false }
        return tunnels.contains(String(cString: type))
    }
}
