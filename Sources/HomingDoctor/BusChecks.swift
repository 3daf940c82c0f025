internal import Glibc
internal import HomingBus
internal import HomingHealth
internal import HomingMachine
internal import HomingRuntime

/// D-Bus, and what is on it.
@LoopActor struct BusChecks {
    /// Whether the configuration names networks, so that NetworkManager must be there to know them.
    let needsNetworkManager: Bool

    /// Returns the findings and the network.
    func run() async -> (findings: [Finding], network: NetworkState) {
        let bus = Bus(.system, clock: SystemClock())
        bus.open()
        defer { bus.shutdown() }
        let name = "org.freedesktop.DBus"
        let answer = await bus.call("GetId", of: name, at: "/org/freedesktop/DBus", name)
        if case .failure(let error) = answer {
            let isAbsent = ["No such file", "refused"].contains { error.description.holds($0) }
            let finding = Finding.wrong(
                .bus, .systemBusMissing, isAbsent ? "not running" : error.description)
            return (await [finding] + notifications(), .unknown)
        }
        let probe = NetworkManagerProbe(bus: bus)
        let network = await probe.read()
        let findings = await judge(probe.version, network) + notifications()
        return ([.well(.bus, "connected")] + findings, network)
    }

    private func judge(_ version: String?, _ network: NetworkState) -> [Finding] {
        guard let version, case .known(let network) = network else {
            return needsNetworkManager
                ? [.wrong(.networkManager, .networkManagerMissing, "no answer on D-Bus")]
                : [
                    .skipped(
                        .networkManager,
                        "not running, so networks have no name here and show no location")
                ]
        }
        let manager = Finding.well(.networkManager, "version \(version)")
        let reach = network.connectivity.title
        if network.connectivity == .portal {
            return [manager, .wrong(.network, .portal, "NetworkManager found a login page")]
        }
        switch network.primary {
        case .wifi(nil, _):
            return [manager, .wrong(.network, .networkUnreadable, "Wi-Fi without a name")]
        case .wifi(let ssid?, let bssid):
            let privacies = [Finding.Privacy(.network, ssid), .init(.network, bssid ?? "")]
            return [manager, .well(.network, "Wi-Fi \(ssid), \(reach)", privacies)]
        case .wired(let id, _):
            return [manager, .well(.network, "cable: \(id), \(reach)", [.init(.network, id)])]
        case .other(let type, let id, _):
            return [manager, .well(.network, "\(type): \(id), \(reach)", [.init(.network, id)])]
        case nil:
            return [manager, .skipped(.network, network.textWithoutPrimary)]
        }
    }

    /// The system's service has no desktop; a person at one has.
    private func notifications() async -> [Finding] {
        let hasDesktop = getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
        guard hasDesktop else {
            return [.skipped(.notifications, "this command runs outside a desktop session")]
        }
        let bus = Bus(.session, clock: SystemClock())
        bus.open()
        defer { bus.shutdown() }
        let name = "org.freedesktop.Notifications"
        let reply = try? await bus.call(
            "GetServerInformation", of: name, at: "/org/freedesktop/Notifications", name
        ).get()
        guard bus.isConnected else {
            return [.wrong(.notifications, .notificationsMissing, "no session bus")]
        }
        guard let reply, reply.count >= 4 else {
            return [.wrong(.notifications, .notificationsMissing, "no notification server")]
        }
        return [.well(.notifications, "\(reply[0].text ?? "?") \(reply[2].text ?? "")")]
    }
}
