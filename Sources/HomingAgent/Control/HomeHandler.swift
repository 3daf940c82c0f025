internal import HomingControl
internal import HomingRegistration
internal import HomingRuntime

/// Answers what is asked about one home. The answers are in a file for each family of commands.
///
/// Long: it has a method for each command, and no state.
@LoopActor struct HomeHandler {
    let agent: Agent
    let home: Home

    func answer(_ command: ControlCommand, _ client: OpenRequest) {
        switch command {
        case .sendLocation(let params): sendLocation(params, client)
        case .register(let params):
            let isOnly = agent.homes.names.count == 1
            client.answerLater { () async throws(ControlError) in
                try await home.registerByHand(params.recordingNetwork(unasked: isOnly))
            }
        case .unregister:
            client.answerLater { () async throws(ControlError) in try await home.unregister() }
        case .registration:
            guard let known = home.state.registration else { return client.refuse(.notRegistered) }
            client.reply(RegistrationReport(known))
        case .updateRegistration(let params):
            client.answerLater { () async throws(ControlError) in
                try await home.upkeep.telling.tell(asked: params.deviceName)
            }
        case .enableEncryption(let params):
            client.answerLater { () async throws(ControlError) in
                try await home.upkeep.secret.ask(params.overPlainHTTP ? .confirmed : .asked)
            }
        case .sendEvent(let params): sendEvent(params, client)
        case .callService(let params): callService(params, client)
        case .renderTemplate(let params): renderTemplate(params, client)
        case .zones: zones(client)
        case .homeAssistantConfiguration: homeAssistantConfiguration(client)
        case .scanTag(let params): scanTag(params, client)
        case .say(let params): say(params, client)
        case .camera(let params): camera(params, client)
        case .examine: examine(client)
        case .notify(let params): notify(params, client)
        case .receiveNotification(let params): receiveNotification(params, client)
        case .refreshNotifications: refreshNotifications(client)
        case .removeHome: remove(client)
        case .renameHome(let params):
            client.answerLater { () throws(ControlError) in try rename(params) }
        case .status, .watchStatus, .homes, .readTrack, .attendDesktop, .reportDesktop: break
        }
    }
}
