internal import HomingBase
internal import HomingControl
internal import HomingHealth

/// Checks of the daemon's warnings, and of all endpoints of Home Assistant as the daemon sees them.
struct DaemonChecks {
    let client: ControlClient

    func run() -> [Finding] {
        do throws(ControlError) {
            let report = try client.aboutAll.call(.status, returning: StatusReport.self)
            let homes = report.homes.filter { [nil, $0.name].contains(client.home) }
            if let named = client.home, homes.isEmpty {
                let open = report.homes.map(\.name)
                let others = open.isEmpty ? "" : "; open: \(listed(open, "and"))"
                return about(report, homes) + [
                    .wrong(
                        .registration, .homeUnusable,
                        "the home \(named) cannot be opened\(others)",
                        ([named] + open).map { Finding.Privacy(.home, $0) })
                ]
            }
            let examined = client.call(
                .examine, about: homes.map(\.name), returning: ExaminationReport.self)
            return about(report, homes) + channels(homes) + relays(homes)
                + zip(homes, examined).flatMap { home, result in
                    routes(result).map { report.homes.count > 1 ? $0.of(home: home.name) : $0 }
                }
        } catch {
            // An answer of another version is not understood.
            let problem: Warnable = error.exitCode == .unavailable ? .daemonHangs : .versionsDiffer
            return [.wrong(.daemon, problem, error.message, hint: error.hint)]
        }
    }

    private func about(_ report: StatusReport, _ homes: [StatusReport.Home]) -> [Finding] {
        var findings = [
            Finding.well(.daemon, "running (process \(report.processID))"),
            report.version == homingVersion
                ? .well(.version, homingVersion)
                : .wrong(
                    .version, .versionsDiffer,
                    "the daemon is \(report.version), the command \(homingVersion)"),
        ]
        let hosts = homes.flatMap(\.endpoints).compactMap(\.host)
            .map { Finding.Privacy(.host, $0) }
        var warnings = Self.findings(report.warnings, hosts)
        for home in homes {
            let isOneOfSeveral = report.homes.count > 1
            let owner = isOneOfSeveral ? "\(home.name): " : ""
            warnings += Self.findings(home.warnings, of: owner, hosts).map {
                isOneOfSeveral ? $0.caused(in: home.name) : $0
            }
        }
        findings += warnings.isEmpty ? [.well(.warnings, "none")] : warnings
        return findings + desktops(homes.compactMap(\.push).first)
    }

    private static func findings(
        _ warnings: [StatusReport.Warning], of owner: String = "", _ hosts: [Finding.Privacy]
    ) -> [Finding] {
        warnings.compactMap { warning in
            Warnable(code: warning.code).map {
                .wrong(.warnings, $0, owner + (warning.detail ?? warning.text), hosts)
            }
        }
    }

    /// Checks whose desktop shows notifications.
    private func desktops(_ push: StatusReport.Push?) -> [Finding] {
        guard let push else { return [] }
        guard let helpers = push.helpers else { return ownDesktop(push) }
        let strange = helpers.filter { $0.version != homingVersion }.map { helper in
            Finding.wrong(
                .version, .versionsDiffer,
                "the session helper of \(helper.user) is \(helper.version)",
                [.init(.user, helper.user)])
        }
        guard let used = helpers.first(where: \.inUse) else {
            let reason = push.absence ?? "no session helper is there"
            return strange + [.skipped(.notifications, "in the journal alone: \(reason)")]
        }
        return strange + [
            .well(
                .notifications, "shown on the desktop of \(used.user)", [.init(.user, used.user)])
        ]
    }

    /// Checks the desktop of the daemon's own session, by the last notification.
    private func ownDesktop(_ push: StatusReport.Push) -> [Finding] {
        if let problem = push.desktopProblem {
            return [
                .skipped(
                    .notifications,
                    "the last notification was written to the journal alone: \(problem)")
            ]
        }
        return push.shown > 0
            ? [.well(.notifications, "the last notification was shown on the daemon's desktop")]
            : []
    }

    /// Checks the channel of each home. A warning has the reason of a fault.
    private func channels(_ homes: [StatusReport.Home]) -> [Finding] {
        homes.compactMap { home in
            guard let push = home.push else { return nil }
            let hosts = home.endpoints.compactMap(\.host).map { Finding.Privacy(.host, $0) }
            let reason = push.problem.map { ": \($0)" } ?? ""
            let finding: Finding =
                push.state == "open"
                ? .well(.channel, "connected")
                : .skipped(.channel, push.closedState + reason, hosts)
            return homes.count > 1 ? finding.of(home: home.name) : finding
        }
    }

    /// Whether each relay opens this machine's mailbox, and takes its token. It costs no notification.
    private func relays(_ homes: [StatusReport.Home]) -> [Finding] {
        let joined = homes.filter { $0.push?.relay != nil }
        let own = joined.filter { $0.push?.relay?.state != "configured" }
        let tested = client.call(
            .checkRelay, about: own.map(\.name), returning: TestRelayResult.self)
        let others = joined.filter { $0.push?.relay?.state == "configured" }.map { home in
            let host = home.push?.relay?.host ?? "?"
            return Finding.skipped(
                .relay, "\(host), by [push] url, is not Homing's", [.init(.host, host)])
        }
        return zip(own, tested).flatMap { home, result in
            let findings = RelayFindings(home.push?.relay, result).all
            return homes.count > 1 ? findings.map { $0.of(home: home.name) } : findings
        } + others
    }

    /// Returns the findings about the route to one home.
    private func routes(_ result: Result<ExaminationReport, ControlError>) -> [Finding] {
        do throws(ControlError) { return try result.get().findings } catch {
            switch error.exitCode {
            case .notRegistered:
                return [.wrong(.registration, .notRegistered, "not registered")]
            case .notPermitted:
                return [.skipped(.registration, "needs sudo")]
            default: return [.skipped(.registration, error.message)]
            }
        }
    }
}
