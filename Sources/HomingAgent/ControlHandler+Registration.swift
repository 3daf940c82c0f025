internal import HomingControl
internal import HomingRegistration
internal import HomingSocket

/// `homing register` and `homing registration`.
extension ControlHandler {
    func register(_ params: ControlCommand.Register, _ client: OpenRequest) {
        let agent = agent
        client.answerLater {
            let result = await agent.register(params)
            if case .success = result { agent.reregistration.registeredByHand() }
            return result
        }
    }

    func unregister(_ client: OpenRequest) {
        let agent = agent
        client.answerLater { await agent.unregister() }
    }

    func registration() -> Result<RegistrationReport, ControlError> {
        guard let registration = agent.registration else { return .failure(.notRegistered) }
        return .success(RegistrationReport(registration))
    }

    func updateRegistration(
        _ params: ControlCommand.UpdateRegistration, _ client: OpenRequest
    ) {
        let agent = agent
        client.answerLater { await agent.updateRegistration(name: params.deviceName) }
    }

    func enableEncryption(
        _ params: ControlCommand.EnableEncryption, _ client: OpenRequest
    ) {
        let agent = agent
        client.answerLater {
            await agent.enableEncryption(params.overPlainHTTP ? .confirmed : .asked)
        }
    }
}
