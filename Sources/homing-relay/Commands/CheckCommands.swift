import Glibc
import HomingBase
import HomingCommandLine
import HomingRelay
import HomingRelayProtocol
import HomingRuntime
import HomingSettings
import HomingSocket
import HomingTerminal

extension Command {
    /// `homing-relay check`: are configuration and keys right?
    static let check = CommandDefinition(
        "check", summary: "Check relay.conf, the keys and the relay that runs",
        exitCodes: [
            0: "no problem; there may be warnings",
            1: "the relay that runs has a problem, or the relay could not start now",
            77: "not permitted for this user", 78: "a file is wrong or missing",
        ]
    ).runs(check)

    private static func check(_ command: ParsedCommand) throws(LineError) -> ExitCode {
        try command.demandRights()
        try command.demandFiles()
        let settings = try command.settings()
        let (path, _) = command.configuration
        Terminal.print(
            access(path, F_OK) == 0
                ? "\(path): OK" : "\(path): missing, so the defaults are used")
        let keys = KeyFile(settings, state: RelayFolders.state)
        let ring: TokenRing
        do throws(KeyFileError) { ring = try keys.read() } catch {
            throw LineError(.configuration, "\(error)")
        }
        Terminal.print("\(keys.path): OK")
        try checkRights(settings, path, keys)
        for warning in settings.warnings { Terminal.print("Warning: \(warning).") }
        let certificate = certificateFailure(settings.listen)
        if settings.store.engine == .valkey {
            try examineEngine(settings)
            try examineRing(settings, keys, ring)
        }
        let far = EventLoop.main.wait { await FarExamination.problem(settings.forward) }
        if let far { Terminal.print("The far relay cannot be used: \(far).") }
        let isWell = try checkRelay(settings, certificate)
        return isWell && far == nil ? .done : .failure
    }

    /// Looks at the relay that runs, or else whether one could start.
    ///
    /// - Returns: whether there is no problem.
    private static func checkRelay(
        _ settings: RelayConfiguration, _ certificate: LineError?
    ) throws(LineError) -> Bool {
        guard let client = try RelaySocket.connect() else {
            if let certificate { throw certificate }
            if let failure = startFailure(settings) { throw failure }
            Terminal.print(
                """
                The relay does not run. Nothing was found that keeps it from starting.
                Next: sudo systemctl start homing-relay
                If the relay stops again: sudo journalctl -u homing-relay
                """)
            return true
        }
        let status: RelayStatus
        do throws(LineError) {
            status = try RelaySocket.callRelay(client, .status, returning: RelayStatus.self)
        } catch {
            Terminal.print("The relay that runs was not checked: \(error.message).")
            if let certificate { throw certificate }
            return false
        }
        for problem in status.problems { Terminal.print(problem) }
        if let certificate { throw certificate }
        Terminal.print(
            status.problems.isEmpty ? "The relay runs." : "The relay runs, with problems.")
        return status.problems.isEmpty
    }

    /// Returns the reason why a relay could not start now.
    private static func startFailure(_ settings: RelayConfiguration) -> LineError? {
        EventLoop.main.wait { () async -> LineError? in
            do throws(LineError) {
                try await RelayTrial.start(settings)
                return nil
            } catch { return error }
        }
    }

    /// Returns the reason why certificate and key cannot be used together.
    private static func certificateFailure(_ listen: RelayConfiguration.Listen) -> LineError? {
        let result = EventLoop.main.wait { () async -> Result<String?, LineError> in
            do throws(LineError) {
                return .success(try RelayTrial.certificate(listen))
            } catch { return .failure(error) }
        }
        do throws(LineError) {
            if let certificate = try result.get() {
                Terminal.print("\(certificate) and its key are right.")
            }
            return nil
        } catch { return error }
    }

    /// Looks whether the service can read what root can.
    private static func checkRights(
        _ settings: RelayConfiguration, _ path: String, _ keys: KeyFile
    ) throws(LineError) {
        guard let user = ServiceUser(state: RelayFolders.state) else { return }
        let closed: [ClosedFile]
        do throws(SystemError) {
            closed = try user.closedFiles(settings, at: path, keys: keys)
        } catch { throw LineError(.configuration, "\(error)") }
        guard !closed.isEmpty else { return }
        var remedies: [String] = []
        for remedy in closed.flatMap(\.remedies) where !remedies.contains(remedy) {
            remedies.append(remedy)
        }
        throw LineError(
            .configuration,
            "the service's user cannot read \(listed(closed.map(\.path), "and"))",
            hint: remedies.joined(separator: "; "))
    }

    /// Looks at the engine, as the start does.
    private static func examineEngine(_ settings: RelayConfiguration) throws(LineError) {
        let result = EventLoop.main.wait {
            () async -> Result<ValkeyMailboxes.Finding, StoreFailure> in
            do throws(StoreFailure) {
                return .success(try await ValkeyMailboxes.examine(EngineSettings(settings.store)))
            } catch { return .failure(error) }
        }
        switch result {
        case .failure(let failure):
            throw LineError(failure.kind == .unfit ? .configuration : .failure, "\(failure)")
        case .success(let finding):
            let nodes = listed(finding.nodes, "and")
            Terminal.print("The engine, \(finding.version) at \(nodes), answers.")
            for warning in finding.warnings { Terminal.print("Warning: \(warning).") }
            guard finding.problems.isEmpty else {
                throw LineError(.configuration, finding.problems.joined(separator: "; "))
            }
        }
    }

    /// Looks whether the relays of the engine have the same keys.
    private static func examineRing(
        _ settings: RelayConfiguration, _ keys: KeyFile, _ ring: TokenRing
    ) throws(LineError) {
        let failure = EventLoop.main.wait { () async -> StoreFailure? in
            do throws(StoreFailure) {
                let store = try await ValkeyMailboxes.open(
                    EngineSettings(settings.store), limits: settings.storeLimits)
                let failure: StoreFailure?
                do throws(StoreFailure) {
                    try await SharedRing.examine(store, keys, ring)
                    failure = nil
                } catch { failure = error }
                await store.close()
                return failure
            } catch { return error }
        }
        guard let failure else { return }
        throw LineError(failure.kind == .unfit ? .configuration : .failure, "\(failure)")
    }

    /// `homing-relay example`: every key with its default and its documentation.
    static let example = CommandDefinition(
        "example", summary: "Print a configuration with every key explained"
    ).runs { (_: ParsedCommand) throws(LineError) -> Void in
        Terminal.printFile(RelayConfiguration.table.example())
    }
}
