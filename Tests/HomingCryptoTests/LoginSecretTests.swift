import Testing

@testable import HomingCrypto

struct LoginSecretTests {
    @Test("the challenge is that of RFC 7636, appendix B")
    func challenge() {
        let secret = LoginSecret(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(secret.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("each is new, and a URL takes it as it is")
    func random() {
        let secrets = (0..<100).map { _ in LoginSecret.random() }
        #expect(Set(secrets.map(\.verifier)).count == 100)
        let characters = secrets.flatMap { $0.verifier + $0.challenge }
        #expect(
            characters.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
            })
        #expect(secrets.allSatisfy { $0.verifier.count == 43 && $0.challenge.count == 43 })
    }
}
