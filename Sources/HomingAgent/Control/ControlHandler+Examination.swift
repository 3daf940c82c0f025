internal import HomingControl
internal import HomingLocation
internal import HomingRegistration
internal import HomingRuntime
internal import HomingSocket

/// The doctor's questions that the daemon alone can answer: it holds the registration.
extension ControlHandler {
    func examine(_ client: OpenRequest) {
        guard let registration = agent.home.keeper.registration else {
            return client.refuse(.notRegistered)
        }
        let agent = agent
        agent.home.upkeep.lookForMark()
        let position = agent.machine.state.receiver.lastFix.map {
            EndpointExaminer.Position(place: $0.fix.coordinate, accuracy: $0.fix.accuracy)
        }
        guard let way = agent.home.delivery.state.way else { return client.refuse(.notRegistered) }
        spawn {
            let findings = await WayExaminer(
                http: agent.home.client, registration: registration, way: way, position: position
            ).examine()
            client.reply(ExaminationReport(findings: findings))
        }
    }
}
