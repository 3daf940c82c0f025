internal import CGnuTLS
internal import Glibc
public import HomingRuntime

/// A certificate and its key, as the server shows them to clients.
///
/// Sessions hold the identity with which they began, so that another can take its place at any time.
@LoopActor public final class TLSIdentity {
    /// Time at which the certificate ends, in seconds since 1970; `nil` if the time is not known.
    public nonisolated let expires: Double?

    nonisolated(unsafe) private let credentials: OpaquePointer
    nonisolated(unsafe) private let priority: OpaquePointer
    nonisolated(unsafe) private var ticketKey = gnutls_datum_t()

    /// - Parameters:
    ///   - certificate: PEM: the server's certificate, then the certificates of its issuers.
    ///   - key: PEM.
    /// - Throws: if the two are no pair that can be used.
    public init(certificate: [UInt8], key: [UInt8]) throws(ServerFailure) {
        var reason: UnsafePointer<CChar>?
        let loaded = certificate.withUnsafeBytes { certificate in
            key.withUnsafeBytes { key in
                homing_tls_load(
                    certificate.baseAddress, UInt32(clamping: certificate.count), key.baseAddress,
                    UInt32(clamping: key.count), &reason)
            }
        }
        guard let loaded else {
            throw ServerFailure(reason.map { String(cString: $0) } ?? "no certificate")
        }
        guard let priority = homing_tls_priority() else {
            gnutls_certificate_free_credentials(loaded)
            throw ServerFailure("there is no memory for TLS")
        }
        (credentials, self.priority) = (loaded, priority)
        let expiry = homing_tls_expiry(loaded)
        expires = expiry > 0 ? Double(expiry) : nil
        gnutls_session_ticket_key_generate(&ticketKey)
    }

    deinit {
        gnutls_certificate_free_credentials(credentials)
        gnutls_priority_deinit(priority)
        gnutls_memset(ticketKey.data, 0, Int(ticketKey.size))
        free(ticketKey.data)
    }

    /// A session over a connected socket that does not block; `nil` if there is no memory.
    func session(over descriptor: Int32) -> TLSSession? {
        homing_tls_session(credentials, priority, &ticketKey, descriptor).map {
            TLSSession($0, of: self)
        }
    }
}
