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
        report.held = StatusReport.Held(
            waiting: receiver.held.waiting, believed: receiver.held.believed,
            dropped: receiver.held.dropped)
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
        let (gpsd, detail) = (receiver.gpsd.text, receiver.gpsd.detail)
        guard let last = receiver.lastFix else {
            return StatusReport.Position(gpsd: gpsd, gpsdDetail: detail)
        }
        let fix = last.fix
        var position = StatusReport.Position(
            gpsd: gpsd, gpsdDetail: detail, mode: fix.mode.rawValue, source: fix.source.name,
            age: now.uptime - last.at.uptime, accuracy: fix.accuracy,
            place: StatusReport.Place(
                latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude))
        position.timeSource = fix.timeSource.name
        position.frozen = receiver.frozenSince.map { now.uptime - $0 }
        return position
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
                StatusReport.Warning(
                    code: warnable.code, severity: warnable.severity.rawValue,
                    text: warnable.text, detail: $0.detail, hint: warnable.hint)
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
