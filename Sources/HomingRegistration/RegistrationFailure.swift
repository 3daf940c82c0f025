internal import HomingBase
public import HomingHTTP
internal import HomingHealth

/// Reason why a registration did not come about; each reason says what to do.
public enum RegistrationFailure: Error, Equatable, Sendable {
    case badURL(String)
    case badToken
    /// The token would travel in the clear to a host that is not local.
    case plainHTTP(host: String)
    /// - Parameter base: Home Assistant's address.
    case unreachable(base: String, HTTPFailure)
    case unauthorized
    case forbidden
    case redirected
    /// Home Assistant whose mobile_app is not loaded.
    case mobileAppMissing
    case notHomeAssistant(status: Int)
    /// A proxy says in its answer what is wrong with the connection.
    case proxy(ProxyWarning)
    /// Home Assistant gave no secret.
    case noSecret
    /// Device of another name with this machine's identity: another machine's, or this machine's own under a
    /// former name.
    case knownDevice(name: String)

    /// Makes the failure of an answer to which the question gives no meaning of its own.
    public init(answer: HTTPResponse) {
        switch answer.status {
        case 300..<400: self = .redirected
        case 403: self = .forbidden
        default:
            self =
                ProxyWarning(status: answer.status, body: answer.body).map { .proxy($0) }
                ?? .notHomeAssistant(status: answer.status)
        }
    }

    /// Text about the problem.
    public var message: String {
        switch self {
        case .badURL(let url): WebAddress.complaint(about: url)
        case .badToken: "the token is empty or holds characters that no token has"
        case .plainHTTP(let host):
            "the token would travel unencrypted to \(host), which is no local name or address"
        case .unreachable(let base, let failure):
            "cannot reach \(WebAddress(base)?.host ?? base): \(failure)"
        case .unauthorized: "Home Assistant does not accept the token (401)"
        case .forbidden:
            "Home Assistant or a proxy before Home Assistant refuses this machine (403)"
        case .redirected: "the address redirects to another address"
        case .mobileAppMissing: "Home Assistant's mobile_app integration is not loaded (404)"
        case .proxy(.clientCertificateMissing):
            "the proxy there wants a client certificate (status 400)"
        case .proxy(.clientCertificateRefused):
            "the proxy there does not accept this machine's client certificate (status 400)"
        case .proxy(.plainHTTP): "that port wants https, and the request used http (status 400)"
        case .notHomeAssistant(status: 400):
            "what answers there is not Home Assistant, or wants a client certificate (status 400)"
        case .notHomeAssistant(let status):
            "what answers there is not Home Assistant (status \(status))"
        case .noSecret: "Home Assistant gave no secret, so messages could not be encrypted"
        case .knownDevice(let name):
            "Home Assistant has a device with this machine's identity already: \(SafeText.line(name))"
        }
    }

    /// Advice about the problem.
    public var hint: String {
        switch self {
        case .badURL: "give the address like http://homeassistant.local:8123"
        case .badToken, .unauthorized:
            "make a long-lived access token in Home Assistant (your profile, Security), "
                + "and give the token by --token-file FILE"
        case .plainHTTP: "use the https address, or --allow-plain-http if you know the network"
        case .unreachable(let base, let failure): Self.hint(for: failure, at: base)
        case .forbidden: "look at ip_ban in Home Assistant and at the proxy's rules"
        case .redirected: "use the target of the redirect, often the https address"
        case .mobileAppMissing: "add default_config: or mobile_app: to configuration.yaml"
        case .proxy(.clientCertificateMissing):
            "set client_certificate and client_key under [home_assistant] in agent.conf.d/local.conf"
        case .proxy(.clientCertificateRefused):
            "look at client_certificate under [home_assistant] in agent.conf.d/local.conf, and at its date"
        case .proxy(.plainHTTP): "give the address with https://"
        case .notHomeAssistant(status: 400):
            "if a proxy there wants a client certificate, set client_certificate under "
                + "[home_assistant] in agent.conf.d/local.conf; else check host and port"
        case .notHomeAssistant: "check host and port; Home Assistant's port is usually 8123"
        case .noSecret: "update Home Assistant, or use --allow-unencrypted"
        case .knownDevice(let name):
            "if this machine is a copy of \(SafeText.line(name)), add --new: this machine becomes a device of its own. "
                + "If \(SafeText.line(name)) is a copy of this machine, first run there: sudo homing register --new. "
                + "Then, or if this machine only had another name, add --take-over here"
        }
    }

    private static func hint(for failure: HTTPFailure, at base: String) -> String {
        switch failure.kind {
        case .nameResolution: Warnable.nameUnresolved.hint
        case .tls(.plainHTTP): "if the server speaks plain HTTP, give the address with http://"
        case .tls(.clientCertificateWanted):
            "set client_certificate under [home_assistant] in agent.conf.d/local.conf"
        case .tls:
            "for a CA of your own set ca_file under [home_assistant] in agent.conf.d/local.conf"
        case .refused, .connectTimeout:
            withPort(base).map { "give the port, which is usually 8123: \($0)" } ?? usualHint
        default: usualHint
        }
    }

    private static let usualHint = "check host, port, and that Home Assistant is running"

    /// The address with Home Assistant's usual port, if the address has the port of plain HTTP.
    private static func withPort(_ base: String) -> String? {
        guard let address = WebAddress(base), !address.isTLS, address.port == 80 else { return nil }
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        return "http://\(host):8123"
    }
}
