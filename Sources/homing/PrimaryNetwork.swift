import CGLib
import HomeAssistantAPI
import HomingCore

/// The network this machine is on, asked of NetworkManager over D-Bus once: the command does not
/// carry libnm.
enum PrimaryNetwork {
    private static let service = "org.freedesktop.NetworkManager"

    /// The network as a home network, and its name for people; `nil` where NetworkManager is not
    /// there or the network is neither Wi-Fi nor wired.
    static func read() -> (network: Registration.HomeNetwork, name: String)? {
        guard let bus = g_bus_get_sync(G_BUS_TYPE_SYSTEM, nil, nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(bus)) }
        let root = "/org/freedesktop/NetworkManager"
        guard let active = text(bus, root, service, "PrimaryConnection"), active != "/" else {
            return nil
        }
        let interface = "\(service).Connection.Active"
        switch text(bus, active, interface, "Type") {
        case "802-11-wireless"?:
            guard let point = text(bus, active, interface, "SpecificObject"),
                let ssid = text(bus, point, "\(service).AccessPoint", "Ssid"), !ssid.isEmpty
            else { return nil }
            return (Registration.HomeNetwork(ssid: ssid), ssid)
        case let type? where PrimaryConnection.cableTypes.contains(type):
            guard let uuid = text(bus, active, interface, "Uuid") else { return nil }
            let name = text(bus, active, interface, "Id") ?? uuid
            return (Registration.HomeNetwork(connection: uuid), name)
        default: return nil
        }
    }

    /// A property that is a string, an object path, or bytes that are text.
    private static func text(
        _ bus: OpaquePointer, _ path: String, _ interface: String, _ property: String
    ) -> String? {
        var arguments: [OpaquePointer?] = [
            g_variant_new_string(interface), g_variant_new_string(property),
        ]
        let reply = g_dbus_connection_call_sync(
            bus, service, path, "org.freedesktop.DBus.Properties", "Get",
            g_variant_new_tuple(&arguments, 2), nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, 2000, nil, nil
        )
        guard let reply else { return nil }
        defer { g_variant_unref(reply) }
        guard let boxed = g_variant_get_child_value(reply, 0) else { return nil }
        defer { g_variant_unref(boxed) }
        guard let value = g_variant_get_variant(boxed) else { return nil }
        defer { g_variant_unref(value) }
        return string(value)
    }

    private static func string(_ value: OpaquePointer) -> String? {
        switch g_variant_get_type_string(value).map({ String(cString: $0) }) {
        case "s", "o": return g_variant_get_string(value, nil).map { String(cString: $0) }
        case "ay":
            var count: gsize = 0
            let bytes = g_variant_get_fixed_array(value, &count, 1)
            return String(
                decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
        default: return nil
        }
    }
}
