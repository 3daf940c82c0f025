import HomingRegistration
import Testing

/// Words of a proxy's page about the connection. The pages are those of the servers, shortened.
@Suite struct ProxyWarningTests {
    private func complaint(_ status: Int, _ page: String) -> ProxyWarning? {
        ProxyWarning(status: status, body: Array(page.utf8))
    }

    @Test(
        "nginx, Apache and Caddy say what is wrong with the connection",
        arguments: [
            (
                "<center><h1>400 Bad Request</h1></center><center>No required SSL certificate was sent</center>",
                ProxyWarning.clientCertificateMissing
            ),
            ("<center>The SSL certificate error</center>", .clientCertificateRefused),
            ("<center>The plain HTTP request was sent to HTTPS port</center>", .plainHTTP),
            (
                "Reason: You're speaking plain HTTP to an SSL-enabled server port.<br />",
                .plainHTTP
            ),
            ("Client sent an HTTP request to an HTTPS server.\n", .plainHTTP),
        ])
    func complaints(page: String, complaint: ProxyWarning) {
        #expect(self.complaint(400, page) == complaint)
    }

    @Test("Another status, another page, and words far behind the beginning say nothing")
    func silence() {
        let words = "No required SSL certificate was sent"
        #expect(complaint(403, words) == nil)
        #expect(complaint(400, "{\"message\":\"bad\"}") == nil)
        #expect(complaint(400, String(repeating: " ", count: 4096) + words) == nil)
    }

    @Test("Each says what to do")
    func hints() {
        #expect(RegistrationFailure.proxy(.plainHTTP).hint == "give the address with https://")
        #expect(RegistrationFailure.proxy(.plainHTTP).message.contains("wants https"))
        let missing = RegistrationFailure.proxy(.clientCertificateMissing)
        #expect(missing.message == "the proxy there wants a client certificate (status 400)")
        #expect(missing.hint.hasPrefix("set client_certificate and client_key"))
        #expect(!RegistrationFailure.notHomeAssistant(status: 400).hint.contains("usually 8123"))
    }
}
