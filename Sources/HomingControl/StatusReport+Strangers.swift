extension StatusReport {
    /// Returns what anybody on this machine may know: whether Homing works. The status hides where
    /// the machine is, and which networks the machine meets. The status also hides whom the machine
    /// talks to, and what was said there.
    ///
    /// It is built from what may be told, so that a new field stays hidden until it is named here.
    public func forStrangers() -> StatusReport {
        var report = StatusReport(
            version: version, processID: processID, uptime: uptime,
            network: Network(
                connection: nil, connectivity: network.connectivity, metered: network.metered),
            position: Position(
                gpsd: position.gpsd, mode: position.mode, source: position.source,
                age: position.age, accuracy: position.accuracy),
            skipped: skipped, warnings: warnings.map { $0.forStrangers() },
            homes: homes.map { $0.forStrangers() })
        report.held = held
        report.restricted = true
        return report
    }
}

extension StatusReport.Home {
    fileprivate func forStrangers() -> StatusReport.Home {
        StatusReport.Home(
            name: name,
            registration: registration.map {
                StatusReport.Registration(
                    deviceName: $0.deviceName, encrypted: $0.encrypted, homeAssistantVersion: nil)
            },
            nextAttempt: nextAttempt, queues: queues, skipped: skipped,
            warnings: warnings.map { $0.forStrangers() })
    }
}

extension StatusReport.Warning {
    fileprivate func forStrangers() -> StatusReport.Warning {
        StatusReport.Warning(code: code, severity: severity, text: text, detail: nil, hint: hint)
    }
}
