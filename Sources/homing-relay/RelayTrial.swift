import HomingRelay
import HomingRuntime
import HomingServer
import HomingSocket

/// Tries what the start of a relay does, so that a reason to fail is known before.
@LoopActor enum RelayTrial {
    /// Looks whether a relay could start, while no relay runs. Throws the reason why not.
    static func start(_ settings: RelayConfiguration) async throws(LineError) {
        try RelayStore.examineFile(settings)
        try await listen(settings.listen)
    }

    /// Unix sockets are left alone: their folder may be there only while a relay runs.
    private static func listen(_ listen: RelayConfiguration.Listen) async throws(LineError) {
        let all = listen.addresses + listen.tlsAddresses + listen.metrics
        let addresses = all.filter { $0.port != nil }
        guard !addresses.isEmpty else { return }
        do throws(ServerFailure) {
            // As root this process may listen where the service may not.
            let service = ServiceUser(state: RelayFolders.state)
            if let refusal = service?.refusal(of: addresses) { throw refusal }
            let server = try HTTPServer(on: addresses, take: { _ in })
            await server.end()
        } catch {
            throw LineError(error)
        }
    }

    /// Looks whether certificate and key can be used together, as the start does. Throws if not.
    ///
    /// - Returns: the certificate's path; `nil` if the relay does not speak TLS itself.
    static func certificate(
        _ listen: RelayConfiguration.Listen
    ) throws(LineError) -> String? {
        guard let certificate = listen.tlsCertificate, let key = listen.tlsKey else { return nil }
        do throws(ServerFailure) {
            try CertificateKeeper.examine(certificate: certificate, key: key)
            return certificate
        } catch {
            throw LineError(.configuration, "\(error)")
        }
    }
}
