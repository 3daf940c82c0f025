internal import HomeAssistantAPI
internal import HomingControl
internal import HomingRuntime
internal import HomingSettings

/// Answers what is asked about one home. The answers are in a file for each family of commands.
///
/// Long: it has a method for each command, and no state.
@LoopActor struct HomeHandler {
    let agent: Agent
    let home: Home

    func answer(_ command: ControlCommand, _ client: OpenRequest) {
        switch command {
        case .sendLocation(let zone, let allowUnknown):
            sendLocation(zone, allowUnknown: allowUnknown == true, client)
        case .networks: client.reply(home.networkReport)
        case .judgeNetworks(let areHome):
            client.answer { () throws(ControlError) in
                try home.judgeNetworks(areHome: areHome)
                return home.networkReport
            }
        case .register(let params):
            let isOnly = agent.homes.names.count == 1
            if let error = agent.homes.refusal(of: params, for: home.name) {
                return client.refuse(error)
            }
            home.change(for: client) { () async throws(ControlError) in
                try await home.registerByHand(params.recordingNetwork(unasked: isOnly))
            }
        case .unregister:
            home.change(for: client) { () async throws(ControlError) in try await home.unregister()
            }
        case .registration:
            guard let known = home.state.registration else { return client.refuse(.notRegistered) }
            client.reply(RegistrationReport(known))
        case .updateRegistration(let name):
            home.change(for: client) { () async throws(ControlError) in
                try await home.describeMachine(as: name)
            }
        case .keepRegistration:
            home.change(for: client) { () async throws(ControlError) in
                try home.keepRegistration()
            }
        case .enableEncryption(let overPlainHTTP):
            home.change(for: client) { () async throws(ControlError) in
                try await home.encrypt(overPlainHTTP: overPlainHTTP)
            }
        case .sendEvent(let type, let data, let wait, let expires):
            sendEvent(type, data, wait: wait, expires: expires, client)
        case .callService(let domain, let service, let data):
            callService(ServiceCall(domain: domain, service: service, data: data), client)
        case .renderTemplate(let template, let variables):
            render(Template(template, variables: variables), client)
        case .zones: zones(client)
        case .homeAssistantConfiguration: homeAssistantConfiguration(client)
        case .scanTag(let tag): scanTag(tag, client)
        case .say(let text, let language, let isNew):
            guard !text.isEmpty else {
                return client.refuse(ControlError(.usage, "there is nothing to say"))
            }
            client.answerLater { () async throws(ControlError) in
                try await home.say(text, language, isNew: isNew)
            }
        case .camera(let entity): camera(entity, client)
        case .examine:
            let position = agent.machine.state.receiver.lastFix?.fix
            client.answerLater { () async throws(ControlError) in
                try await home.examine(from: position)
            }
        case .notify(let message, let title, let data):
            notify(
                NotificationPayload(message: message, title: title, dataText: data ?? "{}"), client)
        case .receiveNotification(let body):
            client.answer { () throws(ControlError) in
                try home.receive(RelayedPost(Array(body.utf8)))
            }
        case .joinRelay(let params):
            let place = agent.homes.configuration.place(of: "push.url", for: home.name)
            home.change(for: client) { () async throws(ControlError) in
                try await home.joinRelay(params, place: place)
            }
        case .leaveRelay:
            home.change(for: client) { () async throws(ControlError) in try await home.leaveRelay()
            }
        case .checkRelay:
            client.answerLater { () async throws(ControlError) in try await home.checkRelay() }
        case .testRelay(let isShown):
            client.answerLater { () async throws(ControlError) in
                try await home.testRelay(isShown: isShown)
            }
        case .refreshNotifications:
            client.answerLater { () async throws(ControlError) in
                try await home.refreshCategories()
            }
        case .removeHome: remove(client)
        case .renameHome(let name):
            client.answer { () throws(ControlError) in try rename(to: name) }
        case .status, .watchStatus, .homes, .notifications, .readTrack, .reload, .attendDesktop,
            .reportDesktop:
            break
        }
    }
}
