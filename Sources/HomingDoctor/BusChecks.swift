internal import Glibc
internal import HomingBus
internal import HomingHealth
internal import HomingMachine

/// D-Bus, and what is on it.
struct BusChecks {
    /// What was found, and the network.
    func run() -> (findings: [Finding], network: NetworkState) {
        do throws(GLibError) {
            let probe = NetworkManagerProbe(bus: try BlockingBus(.system))
            let network = probe.read()
            return (
                [.well(.bus, "it answers")] + judge(probe.version, network) + notifications(),
                network
            )
        } catch {
            let finding = Finding.wrong(.bus, .systemBusMissing, error.description)
            return ([finding] + notifications(), .unknown)
        }
    }

    private func judge(_ version: String?, _ network: NetworkState) -> [Finding] {
        guard let version, case .known(let network) = network else {
            return [.wrong(.networkManager, .networkManagerMissing, "nobody has its name")]
        }
        let manager = Finding.well(.networkManager, "version \(version)")
        let reach = "connectivity \(network.connectivity.rawValue)"
        if network.connectivity == .portal {
            return [manager, .wrong(.network, .portal, "NetworkManager's check met one")]
        }
        switch network.primary {
        case .wifi(nil, _):
            return [manager, .wrong(.network, .networkUnreadable, "Wi-Fi without a name")]
        case .wifi(let ssid?, let bssid):
            let privacies = [Finding.Privacy(.network, ssid), .init(.network, bssid ?? "")]
            return [manager, .well(.network, "Wi-Fi \(ssid), \(reach)", privacies)]
        case .wired(let id, _):
            return [manager, .well(.network, "wired: \(id), \(reach)", [.init(.network, id)])]
        case .other(let type, let id, _):
            return [manager, .well(.network, "\(type): \(id), \(reach)", [.init(.network, id)])]
        case nil: return [manager, .skipped(.network, "not connected")]
        }
    }

    /// The system's service has no desktop; a person at one has.
    private func notifications() -> [Finding] {
        let hasDesktop = getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
        guard hasDesktop || getenv("DBUS_SESSION_BUS_ADDRESS") != nil else {
            return [.skipped(.notifications, "no desktop session here")]
        }
        guard let bus = try? BlockingBus(.session) else {
            return [.wrong(.notifications, .notificationsMissing, "no session bus answers")]
        }
        let name = "org.freedesktop.Notifications"
        let reply = try? bus.call(
            name, "/org/freedesktop/Notifications", name, "GetServerInformation")
        guard let reply, reply.count >= 4 else {
            return [.wrong(.notifications, .notificationsMissing, "nobody has its name")]
        }
        return [.well(.notifications, "\(reply[0].text ?? "?") \(reply[2].text ?? "")")]
    }
}
