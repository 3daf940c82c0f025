internal import HomeAssistantAPI
internal import HomingControl
internal import HomingDelivery
internal import HomingHealth
internal import HomingJSON
internal import HomingRoutes
internal import HomingRuntime

/// Home Assistant's answer to a direct command.
struct DirectAnswer {
    /// Its reply; `null` where success has none.
    let content: JSONValue
    /// Endpoint that brought the reply.
    let endpoint: Endpoint
}

/// Direct commands: sent at once over the present route, and never queued.
extension Home {
    /// Seconds that an answer may take. `call_service` is answered when the service has finished.
    private static let directTimeout: Seconds = 60

    /// - Parameter refusal: the error for Home Assistant's refusal.
    func sendDirectCommand(
        _ command: WebhookRequest, refusal: ControlError = .noReply
    ) async throws(ControlError) -> DirectAnswer {
        guard keeper.registration != nil else { throw .notRegistered }
        try mustBeOwn()
        guard let (transport, endpoints) = delivery.direct else {
            throw ControlError(.refused, .registrationUnusable)
        }
        guard !endpoints.isEmpty else { throw ControlError(noEndpoint: delivery.state) }
        log.debug("asking \(command.type)")
        var call = DirectCall<JSONValue>(
            endpoints: endpoints, expectsReply: command.expectsReply,
            isRepeatable: command.isRepeatable)
        var (effect, asked) = (call.begin(), endpoints[0])
        while true {
            switch effect {
            case .send(let endpoint):
                asked = endpoint
                effect = call.replied(
                    await transport.reply(to: command, by: endpoint, timeout: Self.directTimeout))
            case .askReceipt(let endpoint):
                effect = call.proved(await transport.proof(of: endpoint))
            case .finish(.answered(let content)):
                return DirectAnswer(content: content, endpoint: asked)
            case .finish(.done): return DirectAnswer(content: .null, endpoint: asked)
            case .finish(.refused): throw refusal
            case .finish(.unknown): throw .outcomeUnknown
            case .finish(.notReached(let problems)): throw .notReached(problems)
            }
        }
    }
}

extension ControlError {
    /// Makes the error with the reason why nothing can be asked at this moment.
    init(noEndpoint state: DeliveryState) {
        switch state.obstacle {
        case .portal?: self.init(.unavailable, .portal)
        case .noEndpoint?: self.init(.unavailable, .noEndpoint)
        // Each endpoint asked for a pause.
        default: self = .notReached(state.health.compactMapValues(\.problem))
        }
    }

    /// A warning in the words that the status has for it.
    init(_ code: ExitCode, _ warnable: Warnable, detail: String? = nil) {
        self.init(
            code, warnable.text + (detail.map { ": \($0)" } ?? ""), hint: warnable.hint)
    }

    static let outcomeUnknown = ControlError(
        .temporary, "sent, outcome unknown: no answer confirmed it",
        hint: "Homing does not repeat the command; see in Home Assistant whether the command worked"
    )

    /// Makes the error for a command that no endpoint took, with the problem of each endpoint.
    static func notReached(_ problems: [Endpoint.Kind: EndpointProblem]) -> ControlError {
        let worst = DeliveryWarning.worst(of: Array(problems.values))
        let detail = problems.map { "\($0.key.title): \($0.value.text)" }.sorted()
            .joined(separator: "; ")
        let refused: Set<Warnable> = [.unknownWebhook, .keyRefused, .gone]
        guard worst == .notDelivering else {
            return ControlError(
                refused.contains(worst) ? .refused : .unavailable, worst,
                detail: detail)
        }
        return ControlError(
            .unavailable,
            "\(worst.text), and nothing was done" + (detail.isEmpty ? "" : ": \(detail)"),
            hint:
                "see: homing status. The command is not queued: when Home Assistant can be reached, "
                + "type the command again"
        )
    }
}
