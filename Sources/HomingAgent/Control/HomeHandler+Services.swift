internal import HomeAssistantAPI
internal import HomingControl

/// Requests that make Home Assistant do something, once and now: `homing call` and `tag`.
extension HomeHandler {
    func callService(_ call: ServiceCall, _ client: OpenRequest) {
        let refusal = ControlError(
            .refused, "service \(call.domain).\(call.service) failed",
            hint: "is there such a service, does its data fit, and may the user who "
                + "registered call it? Home Assistant's log says why")
        sendCommand(.callService(call), refusal, client)
    }

    func scanTag(_ tag: String, _ client: OpenRequest) {
        guard (1...255).contains(tag.unicodeScalars.count) else {
            return client.refuse(ControlError(.usage, "a tag's id has 1 to 255 characters"))
        }
        let refusal = ControlError(
            .refused, "Home Assistant did not take the tag", hint: "Home Assistant's log says why")
        sendCommand(.scanTag(id: tag), refusal, client)
    }

    private func sendCommand(
        _ command: WebhookRequest, _ refusal: ControlError, _ client: OpenRequest
    ) {
        client.answerLater { () async throws(ControlError) -> Done in
            _ = try await home.sendDirectCommand(command, refusal: refusal)
            return Done()
        }
    }
}

extension ControlError {
    /// Home Assistant's own, and yet not as this version knows it.
    static let strangeReply = ControlError(
        .failure, "Home Assistant's answer is not understood",
        hint: "this Home Assistant may be newer than this Homing")
}
