public import HomeAssistantAPI
internal import HomingCrypto
public import HomingHTTP
public import HomingHealth
public import HomingRoutes
public import HomingRuntime

/// Looks at every way to Home Assistant that may be used on this network.
@LoopActor public struct WayExaminer {
    private let http: HTTPClient
    private let registration: Registration
    private let way: Way
    private let position: EndpointExaminer.Position?

    public init(
        http: HTTPClient, registration: Registration, way: Way,
        position: EndpointExaminer.Position?
    ) {
        self.http = http
        self.registration = registration
        self.way = way
        self.position = position
    }

    /// What there is to say of the registration and of each way.
    public func examine() async -> [Finding] {
        guard !registration.lacksSecret else {
            return [.wrong(.registration, .registrationUnusable, Registration.lacksSecretText)]
        }
        let examiner: EndpointExaminer
        do throws(SecretKeyError) {
            examiner = try EndpointExaminer(
                http: http, registration: registration, position: position)
        } catch {
            return [.wrong(.registration, .registrationUnusable, "its secret is no key")]
        }
        var findings = [about(registration)]
        if way.place == .portal {
            findings.append(.wrong(.network, .portal, "NetworkManager's check met one"))
        } else if way.endpoints.isEmpty {
            findings.append(.wrong(.registration, .noWay, "all of them are left out"))
        }
        for (kind, reason) in way.excluded.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            findings.append(Finding.skipped(.route, "not used: \(reason)").of(kind.title))
        }
        for endpoint in way.endpoints {
            findings += await examiner.examine(
                endpoint.kind.title, url: endpoint.webhookURL, base: base(of: endpoint))
        }
        return findings
    }

    private func about(_ registration: Registration) -> Finding {
        let name = registration.deviceName
        let privacies = [Finding.Privacy(.device, name)]
        guard registration.secret != nil else {
            return .wrong(.registration, .unencrypted, "as \(name), without a secret", privacies)
        }
        return registration.provesHomeAssistant
            ? .well(.registration, "as \(name), sealed", privacies)
            : .wrong(
                .registration, .secretUnproven,
                "as \(name), with a secret that came over plain HTTP",
                privacies)
    }

    /// A cloudhook leads to the webhook alone.
    private func base(of endpoint: Endpoint) -> String? {
        let path = "/api/webhook/\(registration.webhookID)"
        guard endpoint.kind != .cloudhook, endpoint.webhookURL.hasSuffix(path) else { return nil }
        return String(endpoint.webhookURL.dropLast(path.count))
    }
}
