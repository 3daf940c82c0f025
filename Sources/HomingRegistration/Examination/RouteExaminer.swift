public import HomeAssistantAPI
internal import HomingCrypto
public import HomingHTTP
public import HomingHealth
public import HomingLocation
public import HomingRoutes
public import HomingRuntime

/// Looks at every endpoint of Home Assistant that may be used on this network.
@LoopActor public enum RouteExaminer {
    /// Returns the findings about the registration and about each endpoint.
    public static func examine(
        _ route: Route, of registration: Registration, from position: Fix? = nil,
        http: HTTPClient, clock: any Clockwork
    ) async -> [Finding] {
        guard !registration.lacksSecret else {
            return [.wrong(.registration, .registrationUnusable, Registration.lacksSecretText)]
        }
        let examiner: EndpointExaminer
        do throws(SecretKeyError) {
            examiner = try EndpointExaminer(
                http: http, registration: registration, position: position, clock: clock)
        } catch {
            return [.wrong(.registration, .registrationUnusable, "the secret is not a key")]
        }
        var findings = [about(registration)]
        if route.place == .portal {
            findings.append(.wrong(.network, .portal, "NetworkManager found a login page"))
        } else if route.endpoints.isEmpty {
            let reason = route.exclusions ?? "no address is known"
            findings.append(.wrong(.route, .noEndpoint, reason))
        }
        for (kind, reason) in route.excluded.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            findings.append(Finding.skipped(.route, "not used: \(reason)").of(kind.title))
        }
        let path = "/api/webhook/\(registration.webhookID)"
        for endpoint in route.endpoints {
            // A cloudhook leads to the webhook alone.
            let url = endpoint.webhookURL
            let hasBase = endpoint.kind != .cloudhook && url.hasSuffix(path)
            findings += await examiner.examine(
                endpoint.kind.title, url: url,
                base: hasBase ? String(url.dropLast(path.count)) : nil)
        }
        return findings
    }

    private static func about(_ registration: Registration) -> Finding {
        let name = registration.deviceName
        let privacies = [Finding.Privacy(.device, name)]
        guard registration.secret != nil else {
            return .wrong(.registration, .unencrypted, "as \(name), without a secret", privacies)
        }
        return registration.provesHomeAssistant
            ? .well(.registration, "as \(name), encrypted", privacies)
            : .wrong(
                .registration, .secretUnproven,
                "as \(name), with a secret that came over plain HTTP",
                privacies)
    }
}
