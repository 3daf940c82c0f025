/// Reason why there is no answer.
public struct HTTPFailure: Error, Equatable, CustomStringConvertible, Sendable {
    /// Kind of failure, for programs.
    public enum Kind: Equatable, Sendable {
        /// The host's name could not be turned into an address.
        case nameResolution
        /// The host answers, the port does not.
        case refused
        /// The host is out of reach: no network, no route, no neighbour.
        case unreachable
        /// Lack of a connection, TLS included, within `connectTimeout`.
        case connectTimeout
        /// Connected, but no whole answer within `timeout`.
        case timeout
        /// TLS came to nothing.
        case tls(TLSProblem)
        /// The answer is larger than `HTTPClient.bodyLimit` or `headerLimit`.
        case tooLarge
        /// The connection ended before the answer did.
        case connectionLost
        /// Answer that is not HTTP.
        case protocolError
        case cancelled
        /// The URL is not one of `http` or `https`.
        case badURL
        /// A header that cannot be sent: a control character is in it.
        case badHeader
        case other
    }

    /// Problem with TLS, as far as this side can tell.
    public enum TLSProblem: Equatable, Sendable {
        case expired
        case notYetValid
        case wrongName
        /// Self-signed, or by an authority that is not known here.
        case unknownIssuer
        /// The server asks for a client certificate, and got none.
        case clientCertificateWanted
        /// The server does not take the client certificate it got.
        case clientCertificateRefused
        /// Lack of a version or cipher in common.
        case protocolMismatch
        /// Port whose server speaks no TLS, as plain HTTP does not.
        case plainHTTP
        /// A file of `TLSOptions` cannot be read or holds nothing of use.
        case unusableFile
        case other
    }

    /// Kind of failure, for programs.
    public let kind: Kind
    /// Whether the server may have acted on the request nevertheless: false as long as nothing of
    /// it can have been sent.
    public let mayHaveArrived: Bool
    /// A sentence for people, naming the host but never the URL's path, query or user.
    public let description: String
}
