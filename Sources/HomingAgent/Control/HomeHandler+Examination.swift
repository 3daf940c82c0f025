internal import HomingControl
internal import HomingLocation
internal import HomingRegistration
internal import HomingRuntime
internal import HomingSocket

/// The doctor's questions that the daemon alone can answer: it holds the registration.
extension HomeHandler {
    func examine(_ client: OpenRequest) {
        let state = home.state
        guard let registration = state.registration, let way = state.delivery.way else {
            return client.refuse(.notRegistered)
        }
        home.upkeep.mark.look()
        let position = agent.machine.state.receiver.lastFix.map {
            EndpointExaminer.Position(place: $0.fix.coordinate, accuracy: $0.fix.accuracy)
        }
        spawn {
            let findings = await WayExaminer.examine(
                way, of: registration, from: position, http: home.client)
            client.reply(ExaminationReport(findings: findings))
        }
    }
}
