internal import HomingControl
internal import HomingRegistration
internal import HomingSocket

/// `homing register` and `homing registration`.
extension ControlHandler {
    func register(_ params: ControlCommand.Register, _ client: OpenRequest) {
        let agent = agent
        client.answerLater {
            let result = await agent.home.register(params)
            if case .success = result { agent.home.upkeep.registeredByHand() }
            return result
        }
    }

    func unregister(_ client: OpenRequest) {
        let agent = agent
        client.answerLater { await agent.home.unregister() }
    }

    func registration() -> Result<RegistrationReport, ControlError> {
        guard let registration = agent.home.keeper.registration else {
            return .failure(.notRegistered)
        }
        return .success(RegistrationReport(registration))
    }

    func updateRegistration(
        _ params: ControlCommand.UpdateRegistration, _ client: OpenRequest
    ) {
        let agent = agent
        client.answerLater { await agent.home.upkeep.tellingTask.tell(asked: params.deviceName) }
    }

    func enableEncryption(
        _ params: ControlCommand.EnableEncryption, _ client: OpenRequest
    ) {
        let agent = agent
        client.answerLater {
            await agent.home.upkeep.secretTask.ask(params.overPlainHTTP ? .confirmed : .asked)
        }
    }
}
