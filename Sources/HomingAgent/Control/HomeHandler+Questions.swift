internal import HomeAssistantAPI
internal import HomingControl
internal import HomingJSON
internal import HomingRoutes
internal import HomingRuntime

/// Mere questions to Home Assistant: `homing template`, `zones`, `config home-assistant`, `camera`.
extension HomeHandler {
    func render(_ template: Template, _ client: OpenRequest) {
        client.answerLater { () async throws(ControlError) -> JSONValue in
            let refusal = ControlError(
                .refused, "Home Assistant did not render the template",
                hint: "try the template in Home Assistant: Developer tools, Template")
            return try Self.rendered(
                try await home.sendDirectCommand(.renderTemplate(["t": template]), refusal: refusal)
                    .content)
        }
    }

    /// The value, or Home Assistant's complaint about the template.
    nonisolated static func rendered(_ content: JSONValue) throws(ControlError) -> JSONValue {
        guard let value = content["t"] else { throw .strangeReply }
        // A template can render to just such an object; there is no telling them apart.
        if case .object(let fields) = value, fields.count == 1, let error = fields["error"]?.text {
            throw ControlError(.refused, "the template is wrong: \(error)")
        }
        return value
    }

    func zones(_ client: OpenRequest) {
        client.answerLater { () async throws(ControlError) -> ZonesReport in
            let answer = try await home.sendDirectCommand(.getZones)
            guard let zones = ReplyReader.zones(answer.content) else { throw .strangeReply }
            let last = agent.machine.state.receiver.lastFix
            let age = last?.age(at: agent.clock.now())
            return ZonesReport(zones, seenFrom: last?.fix, age: age)
        }
    }

    func homeAssistantConfiguration(_ client: OpenRequest) {
        client.answerLater { () async throws(ControlError) -> JSONValue in
            let asked = home.state.registration?.webhookID
            let answer = try await home.sendDirectCommand(.getConfig)
            // Another may have been made while we waited.
            if home.state.registration?.webhookID == asked { home.learn(answer.content) }
            return try Self.configuration(answer.content)
        }
    }

    /// Returns the facts of Home Assistant about itself; of URLs that are keys, the hosts alone.
    nonisolated static func configuration(_ content: JSONValue) throws(ControlError) -> JSONValue {
        guard case .object(var fields) = content else { throw .strangeReply }
        for name in ["cloudhook_url", "remote_ui_url"] {
            guard let url = fields[name]?.text else { continue }
            fields[name] = WebAddress(url).map { .string($0.host) } ?? .null
        }
        return .object(fields)
    }

    func camera(_ entity: String, _ client: OpenRequest) {
        client.answerLater { () async throws(ControlError) -> CameraResult in
            let unknown = ControlError(
                .refused, "Home Assistant has no camera \(entity)",
                hint: "name it like camera.door; Home Assistant lists them under Settings, Entities"
            )
            let answer = try await home.sendDirectCommand(
                .streamCamera(entityID: entity), refusal: unknown)
            guard let registration = home.state.registration else { throw .notRegistered }
            let base = registration.base(of: answer.endpoint.kind)
            guard let result = CameraResult(reply: answer.content, base: base) else {
                throw unknown
            }
            return result
        }
    }
}

extension Registration {
    /// The address for what is no webhook: that of the endpoint that was just in use, where it
    /// has one of its own.
    func base(of kind: Endpoint.Kind) -> String {
        switch kind {
        case .instance: instanceURL
        case .remoteUI, .cloudhook: remoteUIURL ?? instanceURL
        }
    }
}

extension ControlError {
    static let noReply = ControlError(
        .refused, "Home Assistant did not answer the question",
        hint: "Home Assistant's log says why")
}
