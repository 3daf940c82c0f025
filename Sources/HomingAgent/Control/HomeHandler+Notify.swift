internal import HomeAssistantAPI
internal import HomingControl
internal import HomingJSON
internal import HomingNotifications
internal import HomingPush

extension HomeHandler {
    /// Shows a notification by the very way that one of Home Assistant's takes once it has arrived.
    /// Who only sits here may look at one; orders, and events as if by Home Assistant's word, are for
    /// those who may do everything.
    func notify(_ payload: NotificationPayload?, _ client: OpenRequest) {
        guard let payload else {
            return client.refuse(
                ControlError(.usage, "the data is no JSON object of less than 64 KiB"))
        }
        switch PushContent(payload) {
        case .command(let command):
            guard client.connection.isTrusted else { return client.refuse(.orderNotPermitted) }
            agent.carryOut(command, of: home)
            client.reply(NotifyResult(.order))
        case .notification(let message):
            let desk = agent.desk
            guard client.connection.isTrusted || desk.admitsOneOfAPerson() else {
                return client.refuse(.tooManyNotifications)
            }
            let owned = message.from(
                home: home.name, id: home.identity, isOneOfSeveral: agent.homes.names.count > 1)
            desk.show(client.connection.isTrusted ? owned : owned.fromPerson()) {
                client.reply($0)
            }
        }
    }
}

extension HomeHandler {
    /// Takes what Home Assistant handed to the relay, unless it has come before.
    func receiveNotification(_ body: [UInt8], _ client: OpenRequest) {
        guard let registration = home.keeper.registration else {
            return client.refuse(.notRegistered)
        }
        // Home Assistant names the registration. To answer what another one sent would be wrong.
        let sender = JSONValue(json: body)?["registration_info"]?["webhook_id"]
        guard sender == nil || sender == .string(registration.webhookID) else {
            return client.refuse(
                ControlError(.refused, "it was sent to another registration than the present one"))
        }
        guard sender != nil else { return client.refuse(.noRelayedNotification) }
        switch home.push.relay(body) {
        case .new: client.reply(ReceiveResult(wasKnown: false))
        case .known: client.reply(ReceiveResult(wasKnown: true))
        case .unreadable: client.refuse(.noRelayedNotification)
        }
    }
}

extension ControlError {
    fileprivate static let orderNotPermitted = ControlError(
        .notPermitted, "you may not give orders by a notification",
        hint: "run it as root, as the daemon's user, or as a member of group homing")
    fileprivate static let tooManyNotifications = ControlError(
        .temporary, "these are too many notifications at once", hint: "wait a second")
    fileprivate static let noRelayedNotification = ControlError(
        .usage, "this is not what Home Assistant hands to a relay",
        hint: "pass the body of its POST on as it is")
}

extension HomeHandler {
    /// Asks Home Assistant for the categories anew.
    func refreshNotifications(_ client: OpenRequest) {
        guard home.keeper.registration != nil else { return client.refuse(.notRegistered) }
        client.answerLater { () async throws(ControlError) in
            try await home.push.categories.refresh()
        }
    }
}
