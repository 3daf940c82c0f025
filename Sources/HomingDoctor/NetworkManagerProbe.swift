public import HomingBus
public import HomingMachine
public import HomingRuntime

/// NetworkManager, asked once over D-Bus: the command does not carry libnm.
@LoopActor public struct NetworkManagerProbe {
    private static let service = "org.freedesktop.NetworkManager"
    private static let root = "/org/freedesktop/NetworkManager"

    private let bus: Bus

    public init(bus: Bus) { self.bus = bus }

    /// NetworkManager's version; `nil` where it is not there.
    public var version: String? {
        get async { await property(Self.root, Self.service, "Version")?.text }
    }

    /// Reads the state of the network from NetworkManager.
    public func read() async -> NetworkState {
        guard await version != nil else { return .unknown }
        let words: [Connectivity] = [.unknown, .none, .portal, .limited, .full]
        let reach = await property(Self.root, Self.service, "Connectivity")?.whole ?? 0
        // NM_METERED_YES and NM_METERED_GUESS_YES.
        let metered = await property(Self.root, Self.service, "Metered")?.whole
        return .known(
            NetworkState.Network(
                primary: await primary(),
                connectivity: words.indices.contains(reach) ? words[reach] : .unknown,
                metered: metered == 1 || metered == 3))
    }

    private func primary() async -> PrimaryConnection? {
        let primary = await property(Self.root, Self.service, "PrimaryConnection")
        guard let active = primary?.text, active != "/" else { return nil }
        let interface = "\(Self.service).Connection.Active"
        switch await property(active, interface, "Type")?.text {
        case "802-11-wireless":
            guard let point = await accessPoint(active), point != "/" else {
                return .wifi(ssid: nil, bssid: nil)
            }
            let device = "\(Self.service).AccessPoint"
            let bytes = await property(point, device, "Ssid")?.bytes ?? []
            let ssid = String(decoding: bytes, as: UTF8.self)
            return .wifi(
                ssid: ssid.isEmpty ? nil : ssid,
                bssid: await property(point, device, "HwAddress")?.text)
        case let type?:
            guard let uuid = await property(active, interface, "Uuid")?.text else { return nil }
            let id = await property(active, interface, "Id")?.text ?? uuid
            return type == "802-3-ethernet"
                ? .wired(id: id, uuid: uuid) : .other(type: type, id: id, uuid: uuid)
        case nil: return nil
        }
    }

    /// The device's, not the one with which the connection began: a roaming machine has another.
    private func accessPoint(_ active: String) async -> String? {
        let devices = await property(active, "\(Self.service).Connection.Active", "Devices")
        guard let device = devices?.list?.first?.text else { return nil }
        return await property(device, "\(Self.service).Device.Wireless", "ActiveAccessPoint")?.text
    }

    private func property(
        _ path: String, _ interface: String, _ name: String
    ) async -> BusValue? {
        try? await bus.call(
            "Get", of: "org.freedesktop.DBus.Properties", at: path, Self.service,
            [.string(interface), .string(name)], starts: false
        ).get().first
    }
}
