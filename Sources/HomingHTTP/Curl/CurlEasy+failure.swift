internal import CCurl
internal import Glibc
internal import HomingBase

extension CurlEasy {
    /// Puts libcurl's code, and what else it knows, into our words.
    func failure(_ code: CURLcode, _ request: HTTPRequest, _ tls: TLSOptions) -> HTTPFailure {
        let kind = kind(of: code)
        let text = FailureText(
            request: request, tls: tls, detail: errorText, systemError: systemError,
            isSelfSigned: Verdict(rawValue: verifyResult) == .selfSigned,
            isStillborn: isStillborn)
        return HTTPFailure(
            kind: kind, mayHaveArrived: mayHaveSent, description: text.sentence(for: kind))
    }

    /// `CURLE_TOO_LARGE` of libcurl 8.6 and later.
    private static let tooLarge = CURLcode(rawValue: 100)

    private func kind(of code: CURLcode) -> HTTPFailure.Kind {
        if isTooLarge { return .tooLarge }
        switch code {
        case CURLE_URL_MALFORMAT: return .badURL
        case CURLE_COULDNT_RESOLVE_HOST: return .nameResolution
        case CURLE_COULDNT_CONNECT: return systemError == ECONNREFUSED ? .refused : .unreachable
        case CURLE_OPERATION_TIMEDOUT: return mayHaveSent ? .timeout : .connectTimeout
        case CURLE_FILESIZE_EXCEEDED, CurlEasy.tooLarge: return .tooLarge
        // libcurl's own limit of 100 kB for one header line: 7 takes it for a lack of memory.
        case CURLE_OUT_OF_MEMORY: return mayHaveSent ? .tooLarge : .other
        case CURLE_PEER_FAILED_VERIFICATION: return .tls(certificateProblem)
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM: return .tls(.unusableFile)
        case CURLE_SSL_CLIENTCERT: return .tls(.clientCertificateWanted)
        case CURLE_SSL_CONNECT_ERROR: return .tls(handshakeProblem ?? .other)
        case CURLE_SSL_CIPHER: return .tls(.protocolMismatch)
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: return .connectionLost
        // TLS 1.3 servers say only then what they think of our certificate.
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            return handshakeProblem.map { .tls($0) } ?? .connectionLost
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return .protocolError
        default: return .other
        }
    }

    /// OpenSSL's `X509_V_ERR_…`, <openssl/x509_vfy.h>; the numbers are part of its interface.
    private enum Verdict: Int {
        case noIssuer = 2
        case notYetValid = 9
        case expired = 10
        case selfSigned = 18
        case selfSignedRoot = 19
        case noLocalIssuer = 20
        case unverifiedLeaf = 21
    }

    private var certificateProblem: HTTPFailure.TLSProblem {
        switch Verdict(rawValue: verifyResult) {
        case .expired: .expired
        case .notYetValid: .notYetValid
        case .noIssuer, .selfSigned, .selfSignedRoot, .noLocalIssuer, .unverifiedLeaf:
            .unknownIssuer
        // libcurl compares the names itself, after OpenSSL.
        case nil: errorText.holds("subject name") ? .wrongName : .other
        }
    }

    /// Known by the words of OpenSSL's errors alone: libcurl passes no number on.
    private var handshakeProblem: HTTPFailure.TLSProblem? {
        let words: [(text: String, problem: HTTPFailure.TLSProblem)] = [
            ("certificate required", .clientCertificateWanted),
            ("alert unknown ca", .clientCertificateRefused),
            ("alert bad certificate", .clientCertificateRefused),
            ("alert certificate", .clientCertificateRefused),
            ("alert unsupported certificate", .clientCertificateRefused),
            ("alert handshake failure", .protocolMismatch),
            ("protocol version", .protocolMismatch),
            ("unsupported protocol", .protocolMismatch),
            ("wrong version number", .plainHTTP),
            ("packet length too long", .plainHTTP),
            ("http request", .plainHTTP),
        ]
        let errorText = errorText
        return words.first { errorText.holds($0.text) }?.problem
    }
}
