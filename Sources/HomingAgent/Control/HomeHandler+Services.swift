internal import HomeAssistantAPI
internal import HomingControl
internal import HomingJSON
internal import HomingRuntime
internal import HomingSocket

/// What makes Home Assistant do something, once and now: `homing call`, `tag` and `say`.
extension HomeHandler {
    func callService(_ params: ControlCommand.CallService, _ client: OpenRequest) {
        let name = "\(params.domain).\(params.service)"
        let call = ServiceCall(domain: params.domain, service: params.service, data: params.data)
        client.answerLater {
            await home.ask(.callService(call)) { _ in
                ControlError(
                    .refused, "Home Assistant did not carry out \(name)",
                    hint: "is there such a service, does its data fit, and may the user who "
                        + "registered call it? Home Assistant's log says why")
            }.map { _ in Done() }
        }
    }

    func scanTag(_ params: ControlCommand.ScanTag, _ client: OpenRequest) {
        guard (1...255).contains(params.tag.unicodeScalars.count) else {
            return client.refuse(ControlError(.usage, "a tag's id has 1 to 255 characters"))
        }
        client.answerLater {
            await home.ask(.scanTag(id: params.tag)) { _ in
                ControlError(
                    .refused, "Home Assistant did not take the tag",
                    hint: "Home Assistant's log says why")
            }.map { _ in Done() }
        }
    }

    func say(_ params: ControlCommand.Say, _ client: OpenRequest) {
        guard !params.text.isEmpty else {
            return client.refuse(ControlError(.usage, "there is nothing to say"))
        }
        let input = ConversationInput(
            text: params.text, language: params.language,
            conversationID: params.isNew ? nil : home.conversation.id(at: agent.clock.now()))
        client.answerLater { () async -> Result<SayResult, ControlError> in
            let answer = await home.ask(.processConversation(input)) { _ in
                ControlError(
                    .refused, "Home Assistant did not take it",
                    hint: "is its conversation integration loaded, and the language one it knows?")
            }
            return answer.flatMap { answer in
                guard let result = SayResult(reply: answer.content) else {
                    return .failure(.strangeReply)
                }
                home.conversation.answered(result.conversationID, at: agent.clock.now())
                return .success(result)
            }
        }
    }
}

extension ControlError {
    /// Home Assistant's own, and yet not as this version knows it.
    static let strangeReply = ControlError(
        .failure, "Home Assistant's answer is not understood",
        hint: "this Home Assistant may be newer than this Homing")
}
