import HomeAssistantAPI
import HomingConfiguration
import HomingControl
import HomingCore
import HomingRegistration
import HomingRuntime
import HomingTransport

/// Registering where no daemon runs: the command does it, and the daemon finds the file later.
enum OfflineRegistration {
    static func run(
        _ params: ControlCommand.Register, configuration path: String?
    ) throws(ControlError) -> RegisterResult {
        let configuration: Configuration
        switch ConfigurationLoader.load(
            path: path ?? Folders.configuration(), explicit: path != nil)
        {
        case .success(let loaded): configuration = loaded
        case .failure(let errors): throw ControlError(.configuration, "\(errors)")
        }
        let state = OfflineState()
        let plan = try RegistrationPlan.make(params, existing: try state.load()).get()
        try state.prepare()
        var registration = try carryOut(plan, configuration)
        let home = params.noHome ? nil : PrimaryNetwork.read()
        if let home, !registration.homeNetworks.contains(home.network) {
            registration.homeNetworks.append(home.network)
        }
        try state.save(registration)
        return RegisterResult(
            deviceName: registration.deviceName, encrypted: registration.secret != nil,
            home: home?.name)
    }

    /// Runs the loop for as long as the registration takes.
    private static func carryOut(
        _ plan: RegistrationPlan, _ configuration: Configuration
    ) throws(ControlError) -> Registration {
        nonisolated(unsafe) var result: Result<Registration, ControlError>?
        spawn {
            let section = configuration.homeAssistant
            let http = HTTPClient(
                tls: TLSOptions(
                    caFile: section.caFile, clientCertificate: section.clientCertificate,
                    clientKey: section.clientKey), userAgent: "Homing/\(homingVersion)")
            result = await plan.carryOut(http: http)
            http.shutdown()
            EventLoop.main.quit()
        }
        EventLoop.main.run()
        guard let result else { throw ControlError(.failure, "the registration did not end") }
        return try result.get()
    }
}
