internal import HomingBase
internal import HomingControl
internal import HomingHealth
internal import HomingSocket

/// What the daemon knows: its warnings, and every way to Home Assistant as it sees them.
struct DaemonChecks {
    let client: ControlClient

    func run() -> [Finding] {
        do throws(ControlError) {
            let report = try client.call(.status, returning: StatusReport.self)
            return about(report) + report.homes.flatMap { ways(client.about($0.name)) }
        } catch {
            return [.wrong(.daemon, .daemonNotRunning, error.message)]
        }
    }

    private func about(_ report: StatusReport) -> [Finding] {
        var findings = [
            Finding.well(.daemon, "process \(report.processID)"),
            report.version == homingVersion
                ? .well(.version, homingVersion)
                : .wrong(
                    .version, .versionsDiffer,
                    "the daemon is \(report.version), the command \(homingVersion)"),
        ]
        let warnings = report.warnings + report.homes.flatMap(\.warnings)
        let hosts = report.homes.flatMap(\.endpoints).compactMap(\.host)
            .map { Finding.Privacy(.host, $0) }
        for warning in warnings {
            guard let warnable = Warnable(code: warning.code) else { continue }
            findings.append(.wrong(.warnings, warnable, warning.detail ?? warning.text, hosts))
        }
        if warnings.isEmpty { findings.append(.well(.warnings, "none")) }
        return findings + desktops(report.homes.compactMap(\.push).first)
    }

    /// Whose desktop shows notifications, where the daemon has none of its own.
    private func desktops(_ push: StatusReport.Push?) -> [Finding] {
        guard let helpers = push?.helpers else { return [] }
        let strange = helpers.filter { $0.version != homingVersion }.map { helper in
            Finding.wrong(
                .version, .versionsDiffer,
                "the session helper of \(helper.user) is \(helper.version)",
                [.init(.user, helper.user)])
        }
        guard let used = helpers.first(where: \.inUse) else {
            let reason = push?.absence ?? "no session helper is there"
            return strange + [.skipped(.notifications, "in the journal alone: \(reason)")]
        }
        return strange + [
            .well(
                .notifications, "shown on the desktop of \(used.user)", [.init(.user, used.user)])
        ]
    }

    /// How one home is reached.
    private func ways(_ client: ControlClient) -> [Finding] {
        do throws(ControlError) {
            return try client.call(.examine, returning: ExaminationReport.self).findings
        } catch {
            switch error.exitCode {
            case .notRegistered:
                return [.wrong(.registration, .notRegistered, "the daemon has none")]
            case .notPermitted:
                return [.skipped(.registration, "\(error.message): run it with sudo")]
            default: return [.skipped(.registration, error.message)]
            }
        }
    }
}
