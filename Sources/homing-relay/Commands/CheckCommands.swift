import Glibc
import HomingBase
import HomingCommandLine
import HomingRelay
import HomingRelayProtocol
import HomingRuntime
import HomingServer
import HomingSettings
import HomingSocket
import HomingTerminal

extension Command {
    /// `homing-relay check`: are configuration and keys right?
    static let check = CommandDefinition(
        "check", summary: "Check relay.conf, the keys and the relay that runs",
        exitCodes: [
            0: "no problem", 1: "the running relay has a problem", 78: "a file is wrong",
        ]
    ).runs(check)

    private static func check(_ command: ParsedCommand) throws(LineError) -> ExitCode {
        let settings = try command.settings()
        let (path, _) = command.configuration
        Terminal.print(
            access(path, F_OK) == 0
                ? "\(path) is right." : "\(path) is not there: the defaults are used.")
        let keys = KeyFile(settings, state: RelayFolders.state)
        let ring: TokenRing
        do throws(KeyFileError) { ring = try keys.read() } catch {
            throw LineError(.configuration, "\(error)")
        }
        Terminal.print("\(keys.path) is right.")
        try checkRights(settings, path, keys)
        let certificate = certificateFailure(settings.listen)
        if settings.store.engine == .valkey {
            try examineEngine(settings)
            try examineRing(settings, keys, ring)
        }
        let far = EventLoop.main.wait { await FarExamination.problem(settings.forward) }
        if let far { Terminal.print("The far relay cannot be used: \(far).") }
        let status: RelayStatus
        do throws(LineError) {
            status = try RelaySocket.call(.status, returning: RelayStatus.self)
        } catch {
            Terminal.print("The running relay was not checked: \(error.message)")
            if let certificate { throw certificate }
            return far == nil ? .done : .failure
        }
        for problem in status.problems { Terminal.print(problem) }
        if let certificate { throw certificate }
        Terminal.print(
            status.problems.isEmpty ? "The relay runs." : "The relay runs, with problems.")
        return status.problems.isEmpty && far == nil ? .done : .failure
    }

    /// Looks whether certificate and key can be used together, as the start does.
    private static func certificateFailure(_ listen: RelayConfiguration.Listen) -> LineError? {
        guard let certificate = listen.tlsCertificate, let key = listen.tlsKey else { return nil }
        let failure = EventLoop.main.wait { () async -> ServerFailure? in
            do throws(ServerFailure) {
                try CertificateKeeper.examine(certificate: certificate, key: key)
                return nil
            } catch { return error }
        }
        guard let failure else {
            Terminal.print("\(certificate) and its key are right.")
            return nil
        }
        return LineError(.configuration, "\(failure)")
    }

    /// Looks whether the service can read what root can.
    private static func checkRights(
        _ settings: RelayConfiguration, _ path: String, _ keys: KeyFile
    ) throws(LineError) {
        let files = [
            path, keys.path, settings.listen.tlsCertificate, settings.listen.tlsKey,
            settings.store.passwordFile, settings.store.caFile, settings.forward.caFile,
        ]
        let user = ServiceUser(state: RelayFolders.state)
        let closed = user?.unreadable(files.compactMap { $0 }) ?? []
        guard !closed.isEmpty else { return }
        throw LineError(
            .configuration, "the service's user cannot read \(listed(closed, "and"))",
            hint: "hand a copy to the owner of \(RelayFolders.state), as for a certificate in"
                + " docs/relay.md, or give it to the service as a credential")
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
