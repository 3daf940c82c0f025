internal import HomingConfiguration
internal import HomingHealth
internal import HomingNotifications
internal import HomingRegistration
internal import HomingRuntime

/// The secret files, which scripts and commands may not read.
extension Agent {
    /// Scripts and commands are started with this from now on.
    func confine() {
        let files = [
            registrations.path, RegistrationCredentials.directory(),
            configuration.homeAssistant.clientKey, configuration.push.tokenFile,
        ]
        let confinement = Confinement(hiding: files.compactMap { $0 })
        sensors.confinement = confinement
        push.desk.runner.confinement = confinement
        pipeline.raise(.scriptsUnconfined, runsPrograms && !Confinement.isAvailable)
    }

    private var runsPrograms: Bool {
        let scripts = configuration.sensors.scripts.map { HostFiles().names(in: $0) } ?? []
        return !scripts.isEmpty || !configuration.commands.isEmpty
            || configuration.push.hook != nil
    }
}
