internal import HomeAssistantAPI
internal import HomingControl
internal import HomingCore
internal import HomingTransport

extension ControlHandler {
    /// Shows a notification by the very way that one of Home Assistant's takes once it has arrived.
    func notify(
        _ id: Int, _ params: ControlCommand.Notify, _ connection: ControlConnection
    ) {
        guard
            let payload = NotificationPayload(
                message: params.message, title: params.title, dataText: params.data ?? "{}")
        else {
            return connection.refuse(
                id, ControlError(.usage, "the data is no JSON object of less than 64 KiB"))
        }
        switch PushContent(payload) {
        case .command(let command):
            agent.push.orders.carryOut(command)
            connection.reply(id, NotifyResult(.order))
        case .notification(let message):
            agent.push.desk.show(message) { outcome in
                connection.reply(id, NotifyResult(of: outcome, remarks: message.problems))
            }
        }
    }
}

extension ControlHandler {
    /// Asks Home Assistant for the categories anew.
    func refreshNotifications(_ id: Int, _ connection: ControlConnection) {
        guard agent.registration != nil else { return connection.refuse(id, .notRegistered) }
        agent.push.desk.categories.refresh { outcome in
            switch outcome {
            case .known(let count, let problems):
                connection.reply(id, RefreshResult(categories: count, problems: problems))
            case .none: connection.reply(id, RefreshResult(categories: nil, problems: []))
            case .failed(let reason):
                connection.refuse(
                    id,
                    ControlError(
                        .temporary, "Home Assistant cannot be asked: \(reason)",
                        hint: "see: homing status"))
            }
        }
    }
}

extension NotifyResult {
    fileprivate init(of outcome: NotificationDesk.Outcome, remarks: [String]) {
        switch outcome {
        case .desktop: self.init(.desktop, remarks: remarks)
        case .journal(let problem): self.init(.journal, problem: problem, remarks: remarks)
        case .folded: self.init(.folded, remarks: remarks)
        }
    }
}
