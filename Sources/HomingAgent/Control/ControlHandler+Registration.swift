internal import HomingControl
internal import HomingRegistration
internal import HomingSocket

/// `homing register` and `homing registration`.
extension ControlHandler {
    func register(_ params: ControlCommand.Register, _ client: OpenRequest) {
        let agent = agent
        client.answerLater {
            await agent.home.registerByHand(params)
        }
    }

    func unregister(_ client: OpenRequest) {
        let agent = agent
        client.answerLater { await agent.home.unregister() }
    }

    func registration() -> Result<RegistrationReport, ControlError> {
        guard let registration = agent.home.state.registration else {
            return .failure(.notRegistered)
        }
        return .success(RegistrationReport(registration))
    }

    func updateRegistration(
        _ params: ControlCommand.UpdateRegistration, _ client: OpenRequest
    ) {
        let agent = agent
        client.answerLater { await agent.home.describeMachine(name: params.deviceName) }
    }

    func enableEncryption(
        _ params: ControlCommand.EnableEncryption, _ client: OpenRequest
    ) {
        let agent = agent
        client.answerLater {
            await agent.home.enableEncryption(overPlainHTTP: params.overPlainHTTP)
        }
    }
}
