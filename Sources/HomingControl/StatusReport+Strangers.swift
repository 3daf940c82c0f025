extension StatusReport {
    /// What anybody on this machine may know: whether it works. Not where the machine is, which
    /// networks it meets, whom it talks to, or what was said there.
    ///
    /// It is built from what may be told, so that a new field stays hidden until it is named here.
    public func forStrangers() -> StatusReport {
        var report = StatusReport(
            version: version, processID: processID, uptime: uptime,
            registration: registration.map {
                Registration(
                    deviceName: $0.deviceName, encrypted: $0.encrypted, homeAssistantVersion: nil)
            },
            network: Network(
                connection: nil, connectivity: network.connectivity, metered: network.metered,
                atHome: nil, reason: nil),
            endpoints: [], nextAttempt: nextAttempt,
            position: Position(
                gpsd: position.gpsd, mode: position.mode, source: position.source,
                age: position.age, accuracy: position.accuracy),
            queues: queues, skipped: skipped, rejections: [],
            warnings: warnings.map {
                Warning(
                    code: $0.code, severity: $0.severity, text: $0.text, detail: nil, hint: $0.hint)
            })
        report.held = held
        report.restricted = true
        return report
    }
}
