internal import HomeAssistantAPI
internal import HomingControl
internal import HomingNotifications
internal import HomingPush

extension HomeHandler {
    /// Shows a notification as one of Home Assistant's is shown once it has arrived.
    /// Who only sits here may look at one; commands, and events as if by Home Assistant's word, are for
    /// those who may do everything.
    func notify(_ payload: NotificationPayload?, _ client: OpenRequest) {
        guard let payload else {
            return client.refuse(
                ControlError(.usage, "the data is no JSON object of less than 64 KiB"))
        }
        switch PushContent(payload) {
        case .command(let command):
            guard client.connection.isTrusted else { return client.refuse(.orderNotPermitted) }
            agent.pushCommands.runCommand(command, of: home)
            client.reply(NotifyResult(.order))
        case .notification(let message):
            let desk = agent.desk
            guard client.connection.isTrusted || desk.admitsOneOfAPerson() else {
                return client.refuse(.tooManyNotifications)
            }
            let owned = message.from(
                home: home.name, id: home.identity, isOneOfSeveral: agent.homes.names.count > 1)
            desk.show(client.connection.isTrusted ? owned.typed() : owned.fromPerson()) {
                client.reply($0)
            }
        }
    }
}

extension ControlError {
    fileprivate static let orderNotPermitted = ControlError(
        .notPermitted, "only root and the group homing may send commands by a notification",
        hint: "use sudo, or join the group: sudo usermod -aG homing $USER, then log in again")
    fileprivate static let tooManyNotifications = ControlError(
        .temporary, "these are too many notifications at once", hint: "wait a second")
}
