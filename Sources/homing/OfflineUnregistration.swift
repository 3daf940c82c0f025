internal import HomeAssistantAPI
internal import HomingBase
import HomingConfiguration
import HomingControl
import HomingHTTP
internal import HomingPush
internal import HomingRegistration
internal import HomingRoutes
import HomingRuntime

/// Ending a registration where no daemon runs: the command asks Home Assistant, and revokes the tokens.
enum OfflineUnregistration {
    /// Seconds for the answer of one endpoint.
    private static let patience: Seconds = 10

    /// Deletes the registration, also a registration that cannot be read.
    static func forget(configuration path: String?) throws(ControlError) -> UnregisterResult {
        let state = try OfflineState()
        if state.isDamaged {
            try state.delete()
            return UnregisterResult(.left, reason: "the registration cannot be read")
        }
        let registration = try state.registration()
        try registration.mustHaveNoRowsOfOthers()
        let result = end(registration, configuration: path)
        try state.delete()
        return result
    }

    private static func end(
        _ registration: Registration, configuration path: String?
    ) -> UnregisterResult {
        let isGiven = registration.ownTokens.isEmpty
        guard registration.isOwn else {
            return isGiven
                ? UnregisterResult(.given, deviceName: registration.deviceName)
                : UnregisterResult(.shared)
        }
        let result = UnregisterResult(
            isGiven ? .given : .left, reason: isGiven ? nil : "the configuration is wrong",
            deviceName: registration.deviceName, tokenTitle: registration.ownTokenTitles)
        // A wrong configuration keeps nobody from forgetting.
        guard let configuration = try? OfflineRegistration.configuration(path) else {
            return result
        }
        return EventLoop.main.wait { [result] in
            var result = result
            let http = HTTPClient(configuration)
            defer { http.shutdown() }
            let route = RouteChooser(registration: registration, configuration)
                .route(on: await .present)
            let answers = await Self.answers(of: registration, on: route, http: http)
            let isKnown = answers.compactMap(\.isKnown)
            if !isKnown.isEmpty, !isKnown.contains(true) { result.isUnknown = true }
            guard !isGiven else { return result }
            let permissions = answers.filter { !$0.isSilent }
                .compactMap {
                    $0.permission(registration, atHome: route.place.isHome, configuration)
                }
            let without =
                answers.contains(where: \.isSilent)
                ? "Home Assistant is not reached"
                : route.exclusions ?? "no endpoint may be used here"
            result.reason =
                permissions.isEmpty
                ? without : await revoke(registration.ownTokens, permissions, http: http)
            if result.reason == nil { result.token = .revoked }
            return result
        }
    }

    /// Returns why the tokens stay in Home Assistant; `nil` if all tokens are revoked.
    @LoopActor private static func revoke(
        _ tokens: [Registration.Authorization], _ permissions: [Permission], http: HTTPClient
    ) async -> String? {
        for case .base(let base) in permissions
        where await TokenRevocation.revoke(all: tokens, base: base, http: http) {
            return nil
        }
        let refusals = permissions.compactMap(\.refusal)
        return refusals.count < permissions.count
            ? TokenRevocation.failureText : refusals.first ?? TokenRevocation.failureText
    }

    /// Address that may get the token, or the reason why the token does not go there.
    private enum Permission {
        case base(String)
        case refused(String)

        var refusal: String? { if case .refused(let reason) = self { reason } else { nil } }
    }

    /// Answer of one endpoint.
    private struct Answer {
        let endpoint: Endpoint
        /// Whether Home Assistant knows the registration; `nil` without an answer of Home Assistant.
        var isKnown: Bool?
        /// Whether the endpoint was asked, and did not answer.
        var isSilent = false

        /// Returns the permission by the daemon's rule; `nil` of a cloudhook, which takes no token.
        func permission(
            _ registration: Registration, atHome: Bool, _ configuration: Configuration
        ) -> Permission? {
            guard let channel = ChannelEndpoint(endpoint) else { return nil }
            let now = SystemClock.now()
            var health = EndpointHealth()
            if isKnown == true { health.gaveReceipt(at: now) }
            let permission = TokenPermission(
                for: endpoint, atHome: atHome,
                provesHomeAssistant: registration.provesHomeAssistant,
                plainHTTP: configuration.push.plainHTTP, health: health, since: now)
            return switch permission {
            case .granted: .base(channel.url)
            case .afterReceipt: .refused(TokenPermission.textWithoutReceipt)
            case .refused(let reason): .refused(reason)
            }
        }
    }

    @LoopActor private static func answers(
        of registration: Registration, on route: Route, http: HTTPClient
    ) async -> [Answer] {
        let examiner = try? EndpointExaminer(
            http: http, registration: registration, position: nil, clock: SystemClock())
        var answers: [Answer] = []
        for endpoint in route.endpoints {
            var answer = Answer(endpoint: endpoint)
            // Without a key, no answer could be decrypted.
            if let examiner, !registration.lacksSecret {
                answer.isKnown = await examiner.isKnown(at: endpoint.webhookURL, within: patience)
                answer.isSilent = answer.isKnown == nil
            }
            answers.append(answer)
        }
        return answers
    }
}
