internal import HomingControl
internal import HomingRegistration
internal import HomingSocket

/// `homing register` and `homing registration`.
extension HomeHandler {
    func register(_ params: ControlCommand.Register, _ client: OpenRequest) {
        client.answerLater {
            await home.registerByHand(
                params.recordingNetwork(unasked: agent.homes.names.count == 1))
        }
    }

    func unregister(_ client: OpenRequest) {
        client.answerLater { await home.unregister() }
    }

    func registration() -> Result<RegistrationReport, ControlError> {
        guard let registration = home.state.registration else {
            return .failure(.notRegistered)
        }
        return .success(RegistrationReport(registration))
    }

    func updateRegistration(
        _ params: ControlCommand.UpdateRegistration, _ client: OpenRequest
    ) {
        client.answerLater { await home.describeMachine(name: params.deviceName) }
    }

    func enableEncryption(
        _ params: ControlCommand.EnableEncryption, _ client: OpenRequest
    ) {
        client.answerLater {
            await home.enableEncryption(overPlainHTTP: params.overPlainHTTP)
        }
    }
}
