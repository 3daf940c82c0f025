internal import Glibc
internal import HomingBase
internal import HomingControl
internal import HomingHealth
internal import HomingLocation
internal import HomingMachine

/// Reads the state of the machine, of its homes and of the desk into one report.
struct StatusBuilder {
    let machine: MachineStatus
    let homes: [HomeState]
    let desk: DeskState
    let now: Moment
    let startedAt: Moment

    private var receiver: ReceiverState { machine.receiver }

    func report() -> StatusReport {
        var report = StatusReport(
            version: homingVersion, processID: getpid(), uptime: now.uptime - startedAt.uptime,
            network: network, position: position, skipped: Self.named(receiver.skipped),
            warnings: Self.warnings(machine.warnings),
            homes: homes.map { home in
                HomeReport(home: home, desk: desk, fix: receiver.lastFix?.fix, now: now).report()
            })
        report.held = receiver.held
        return report
    }

    private var network: StatusReport.Network {
        guard case .known(let network)? = machine.network else {
            return StatusReport.Network(
                connection: "unknown: NetworkManager is not there",
                connectivity: Connectivity.unknown.rawValue, metered: false)
        }
        return StatusReport.Network(
            connection: network.primary?.text ?? "none",
            connectivity: network.connectivity.rawValue, metered: network.metered)
    }

    private var position: StatusReport.Position {
        StatusReport.Position(
            gpsd: receiver.gpsd.text, detail: receiver.gpsd.detail, fix: receiver.lastFix?.fix,
            age: receiver.lastFix?.age(at: now),
            frozen: receiver.frozenSince.map { now.uptime - $0 })
    }

    /// The reasons by the words that the report has for them.
    static func named(_ skipped: [SkipReason: Int]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: skipped.map { ($0.key.rawValue, $0.value) })
    }

    /// In the order of `Warnable.all`.
    static func warnings(
        _ raised: [(warnable: Warnable, detail: String?)]
    ) -> [StatusReport.Warning] {
        Warnable.all.compactMap { warnable in
            raised.first { $0.warnable == warnable }.map {
                StatusReport.Warning(warnable, detail: $0.detail)
            }
        }
    }
}

extension PrimaryConnection {
    /// The connection in people's words.
    var text: String {
        switch self {
        case .wifi(let ssid, let bssid):
            "Wi-Fi \(ssid ?? "without a name")" + (bssid.map { " (\($0))" } ?? "")
        case .wired(let id, _): "wired: \(id)"
        case .other(let type, _, _): type
        }
    }
}

extension GPSDState {
    /// The state in people's words.
    var text: String {
        switch self {
        case .off: "switched off ([gpsd] enabled)"
        case .disconnected: "disconnected"
        case .watching(receivers: 0): "watching, without a receiver"
        case .watching: "watching"
        case .resting: "resting while still"
        }
    }

    /// Why it is disconnected, in gpsd's or the system's words.
    var detail: String? {
        if case .disconnected(let reason) = self { return reason }
        return nil
    }
}
