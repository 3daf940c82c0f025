import HomingRelay
import HomingRuntime
import HomingServer
import HomingSocket

/// Tries what the start of a relay does, so that a reason to fail is known before.
@LoopActor enum RelayTrial {
    /// Looks whether a relay could start, while no relay runs. Throws the reason why not.
    static func start(_ settings: RelayConfiguration) async throws(LineError) {
        try await RelayStore.examineFile(settings)
        try await listen(settings.listen)
    }

    /// Unix sockets are left alone: their folder may be there only while a relay runs.
    private static func listen(_ listen: RelayConfiguration.Listen) async throws(LineError) {
        let all = listen.addresses + listen.tlsAddresses + listen.metrics
        let addresses = all.filter { $0.port != nil }
        guard !addresses.isEmpty else { return }
        do throws(ServerFailure) {
            let server = try HTTPServer(on: addresses, take: { _ in })
            await server.end()
        } catch {
            throw LineError(error)
        }
    }

    /// Looks whether certificate and key can be used together, where the relay speaks TLS itself.
    static func certificate(_ listen: RelayConfiguration.Listen) throws(LineError) {
        guard let certificate = listen.tlsCertificate, let key = listen.tlsKey else { return }
        do throws(ServerFailure) {
            try CertificateKeeper.examine(certificate: certificate, key: key)
        } catch {
            throw LineError(.configuration, "\(error)")
        }
    }
}

extension LineError {
    /// A server that does not start; the reason may pass.
    init(_ failure: ServerFailure) { self.init(.failure, "\(failure)", hint: failure.advice) }
}
