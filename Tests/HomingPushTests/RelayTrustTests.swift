import HomingRelayProtocol
import Testing

@testable import HomingHTTP
@testable import HomingPush

/// A relay whose certificate is not trusted here.
@Suite struct RelayTrustTests {
    private let words =
        "the certificate of relay.example is from an issuer that is not trusted here"

    @Test("A request and a connection name the key that lets the issuer be trusted")
    func unknownIssuer() {
        let failure = HTTPFailure(
            kind: .tls(.unknownIssuer), mayHaveArrived: false, description: words)
        #expect(RelayClient.failure(failure) == .untrusted(words))
        let expired = HTTPFailure(kind: .tls(.expired), mayHaveArrived: false, description: words)
        #expect(RelayClient.failure(expired) == .unreachable(words))
        let end = WebSocketEnd(kind: .connection(.tls(.unknownIssuer)), description: words)
        #expect(
            PushSession.Loss(ofRelay: end).text
                == "\(words); \(RelayFailure.trustHint)")
        #expect(RelayFailure.trustHint.contains("ca_file under [home_assistant]"))
    }
}
