import Testing

@testable import HomingHTTP
@testable import HomingRegistration

/// Answers to the exchange of a refresh token.
@Suite struct AccessTokenTests {
    private static func outcome(
        _ status: Int, _ body: String
    ) -> Result<String, RegistrationFailure> {
        AccessToken.grant(
            HTTPResponse(
                status: status, body: Array(body.utf8), retryAfter: nil, isReused: false))
    }

    @Test("A token is taken whole")
    func token() {
        #expect(Self.outcome(200, #"{"access_token":"t"}"#) == .success("t"))
        #expect(Self.outcome(200, "{}") == .failure(.notHomeAssistant(status: 200)))
    }

    @Test("Home Assistant's error is a refusal of the login; a proxy's page is not")
    func refusals() {
        for error in ["invalid_grant", "invalid_request"] {
            #expect(Self.outcome(400, #"{"error":"\#(error)"}"#) == .failure(.unauthorized))
        }
        for (status, body) in [(400, "<html>"), (400, "{}"), (401, "<html>"), (502, "")] {
            #expect(Self.outcome(status, body) != .failure(.unauthorized), "\(status) \(body)")
        }
    }
}
