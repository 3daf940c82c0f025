internal import HomeAssistantAPI
internal import HomingControl
internal import HomingJSON
internal import HomingRuntime

/// What makes Home Assistant do something, once and now: `homing call`, `tag` and `say`.
extension HomeHandler {
    func callService(_ call: ServiceCall, _ client: OpenRequest) {
        let refusal = ControlError(
            .refused, "Home Assistant did not carry out \(call.domain).\(call.service)",
            hint: "is there such a service, does its data fit, and may the user who "
                + "registered call it? Home Assistant's log says why")
        carryOut(.callService(call), refusal, client)
    }

    func scanTag(_ tag: String, _ client: OpenRequest) {
        guard (1...255).contains(tag.unicodeScalars.count) else {
            return client.refuse(ControlError(.usage, "a tag's id has 1 to 255 characters"))
        }
        let refusal = ControlError(
            .refused, "Home Assistant did not take the tag", hint: "Home Assistant's log says why")
        carryOut(.scanTag(id: tag), refusal, client)
    }

    private func carryOut(
        _ command: WebhookRequest, _ refusal: ControlError, _ client: OpenRequest
    ) {
        client.answerLater { () async throws(ControlError) -> Done in
            _ = try await home.ask(command, refusal: refusal)
            return Done()
        }
    }

    func say(_ text: String, _ language: String?, isNew: Bool, _ client: OpenRequest) {
        guard !text.isEmpty else {
            return client.refuse(ControlError(.usage, "there is nothing to say"))
        }
        let input = ConversationInput(
            text: text, language: language,
            conversationID: isNew ? nil : home.conversation.id(at: agent.clock.now()))
        let refusal = ControlError(
            .refused, "Home Assistant did not take it",
            hint: "is its conversation integration loaded, and the language one it knows?")
        client.answerLater { () async throws(ControlError) -> SayResult in
            let answer = try await home.ask(.processConversation(input), refusal: refusal)
            guard let result = SayResult(reply: answer.content) else { throw .strangeReply }
            home.conversation.answered(result.conversationID, at: agent.clock.now())
            return result
        }
    }
}

extension ControlError {
    /// Home Assistant's own, and yet not as this version knows it.
    static let strangeReply = ControlError(
        .failure, "Home Assistant's answer is not understood",
        hint: "this Home Assistant may be newer than this Homing")
}
