internal import HomingBase

/// Problem with our connection that a proxy before Home Assistant names in its page.
///
/// nginx answers by HTTP, with status 400, when the handshake is done. Apache and Caddy end the
/// handshake by an alert, which is a failure of TLS; Apache says by a page which port wants https.
public enum ProxyWarning: Equatable, Sendable {
    case clientCertificateMissing
    case clientCertificateRefused
    /// Asked by http what speaks https.
    case plainHTTP

    /// Bytes of a page that are looked at.
    private static let limit = 4096

    private static let words: [(String, ProxyWarning)] = [
        ("No required SSL certificate was sent", .clientCertificateMissing),
        ("The SSL certificate error", .clientCertificateRefused),
        ("The plain HTTP request was sent to HTTPS port", .plainHTTP),
        ("speaking plain HTTP to an SSL-enabled server port", .plainHTTP),
        ("Client sent an HTTP request to an HTTPS server", .plainHTTP),
    ]

    /// Reads an answer; `nil` for one that says nothing of the kind.
    public init?(status: Int, body: [UInt8]) {
        guard status == 400 else { return nil }
        let page = String(decoding: body.prefix(Self.limit), as: UTF8.self).streamSafe
        guard let found = Self.words.first(where: { page.holds($0.0) }) else { return nil }
        self = found.1
    }
}
