public import HomingBus
public import HomingMachine

/// NetworkManager, asked once over D-Bus: the command does not carry libnm.
public struct NetworkManagerProbe {
    private static let service = "org.freedesktop.NetworkManager"
    private static let root = "/org/freedesktop/NetworkManager"

    private let bus: BlockingBus

    public init(bus: BlockingBus) { self.bus = bus }

    /// NetworkManager's version; `nil` where it is not there.
    public var version: String? { text(Self.root, Self.service, "Version") }

    /// What it says of the network.
    public func read() -> NetworkState {
        guard version != nil else { return .unknown }
        let words: [Connectivity] = [.unknown, .none, .portal, .limited, .full]
        let reach = whole(Self.root, Self.service, "Connectivity") ?? 0
        // NM_METERED_YES and NM_METERED_GUESS_YES.
        let metered = whole(Self.root, Self.service, "Metered").map { $0 == 1 || $0 == 3 }
        return .known(
            NetworkState.Network(
                primary: primary(),
                connectivity: words.indices.contains(reach) ? words[reach] : .unknown,
                metered: metered ?? false))
    }

    private func primary() -> PrimaryConnection? {
        guard let active = text(Self.root, Self.service, "PrimaryConnection"), active != "/" else {
            return nil
        }
        let interface = "\(Self.service).Connection.Active"
        switch text(active, interface, "Type") {
        case "802-11-wireless":
            guard let point = accessPoint(active), point != "/" else {
                return .wifi(ssid: nil, bssid: nil)
            }
            let device = "\(Self.service).AccessPoint"
            let bytes = (try? bus.property(Self.service, point, device, "Ssid"))?.bytes ?? []
            let ssid = String(decoding: bytes, as: UTF8.self)
            return .wifi(
                ssid: ssid.isEmpty ? nil : ssid, bssid: text(point, device, "HwAddress"))
        case let type?:
            guard let uuid = text(active, interface, "Uuid") else { return nil }
            let id = text(active, interface, "Id") ?? uuid
            return type == "802-3-ethernet"
                ? .wired(id: id, uuid: uuid) : .other(type: type, id: id, uuid: uuid)
        case nil: return nil
        }
    }

    /// The device's, not the one with which the connection began: a roaming machine has another.
    private func accessPoint(_ active: String) -> String? {
        let devices = try? bus.property(
            Self.service, active, "\(Self.service).Connection.Active", "Devices")
        guard let device = devices?.list?.first?.text else { return nil }
        return text(device, "\(Self.service).Device.Wireless", "ActiveAccessPoint")
    }

    private func text(_ path: String, _ interface: String, _ name: String) -> String? {
        (try? bus.property(Self.service, path, interface, name))?.text
    }

    private func whole(_ path: String, _ interface: String, _ name: String) -> Int? {
        (try? bus.property(Self.service, path, interface, name))?.whole
    }
}
