internal import Glibc

/// Says in a sentence why there is no answer, without giving the URL away.
struct FailureText {
    let request: HTTPRequest
    let tls: TLSOptions
    /// Text of libcurl about the failure.
    let detail: String
    let systemError: Int32
    let isSelfSigned: Bool
    /// The connection was new, and not a byte of an answer came.
    let isStillborn: Bool

    /// Returns the text about a failure that no server had a part in.
    static func withoutServer(_ kind: HTTPFailure.Kind) -> String {
        switch kind {
        case .cancelled: "the request was cancelled"
        case .badURL: "the URL is not one of http or https"
        case .badHeader: "a header of the request has a control character"
        default: CurlLibrary.problem
        }
    }

    func sentence(for kind: HTTPFailure.Kind) -> String {
        let parts = URLParts(request.url)
        let server = parts.server
        return switch kind {
        case .cancelled, .badURL, .badHeader: FailureText.withoutServer(kind)
        case .nameResolution: "the name of \(server) cannot be resolved"
        case .refused: "\(server) refuses the connection"
        case .unreachable: "there is no route to \(server): \(parts.redacted(unreachableReason))"
        case .connectTimeout:
            "no connection to \(server) within \(seconds(request.boundedConnectTimeout))"
        case .timeout: "no answer from \(server) within \(seconds(request.boundedTimeout))"
        case .tls(let problem): sentence(for: problem, server, parts)
        case .tooLarge: "the answer from \(server) is too large"
        case .connectionLost:
            "\(server) closed the connection before its answer was complete\(supposition)"
        case .protocolError: "\(server) does not answer in HTTP: \(parts.redacted(detail))"
        case .other: "the request to \(server) failed: \(parts.redacted(detail))"
        }
    }

    private func sentence(
        for problem: HTTPFailure.TLSProblem, _ server: String, _ parts: URLParts
    ) -> String {
        switch problem {
        case .expired:
            "the certificate of \(server) has expired, or this machine's clock is wrong"
        case .notYetValid:
            "the certificate of \(server) is not valid yet, or this machine's clock is wrong"
        case .wrongName: "the certificate of \(server) is for another name"
        case .unknownIssuer where isSelfSigned:
            "the certificate of \(server) is self-signed and not trusted here"
        case .unknownIssuer:
            "the certificate of \(server) is from an issuer that is not trusted here"
        case .clientCertificateWanted: "\(server) wants a client certificate"
        case .clientCertificateRefused:
            "\(server) does not accept this machine's client certificate"
        case .protocolMismatch:
            "\(server) and this machine have no version of TLS in common, or \(server) wants a client certificate"
        case .plainHTTP:
            "\(server) speaks no TLS on this port; perhaps its address begins with http://"
        case .unusableFile: tls.unreadableFile ?? "a file for TLS is of no use: \(detail)"
        case .other where isOfDeadConnection: "TLS with \(server) could not be agreed on"
        case .other: "TLS with \(server) failed: \(parts.redacted(detail))"
        }
    }

    /// A server that wants a certificate says so in TLS 1.3 once we take the handshake for done,
    /// and its closing can overtake that.
    private var supposition: String {
        request.hasScheme("https://") && isStillborn && tls.clientCertificate == nil
            ? "; perhaps it wants a client certificate" : ""
    }

    /// libcurl keeps the words of a warm connection that turned out to be dead, over those of the
    /// new one that it tried after it.
    private var isOfDeadConnection: Bool {
        detail.hasPrefix("Send failure") || detail.hasPrefix("Recv failure")
    }

    private var unreachableReason: String {
        systemError == 0 ? detail : String(cString: strerror(systemError))
    }

    private func seconds(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
    }
}
