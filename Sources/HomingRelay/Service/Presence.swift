internal import HomingRelayProtocol
internal import HomingRuntime

/// The devices that are here: sockets of mailboxes whose key was proved.
@LoopActor final class Presence {
    /// Sockets of a mailbox. A device whose network broke may leave some behind.
    static let limit = 4

    private var sockets: [MailboxID: [DeviceConnection]] = [:]

    /// Mailboxes with a device that is here.
    var count: Int { sockets.count }

    var mailboxes: [MailboxID] { Array(sockets.keys) }

    /// The sockets of a mailbox, the oldest first.
    func connections(of mailbox: MailboxID) -> [DeviceConnection] { sockets[mailbox] ?? [] }

    /// Adds a socket; returns another that has to go for it.
    func add(_ connection: DeviceConnection) -> DeviceConnection? {
        var all = sockets[connection.mailbox] ?? []
        all.append(connection)
        sockets[connection.mailbox] = all
        return all.count > Self.limit ? all.first : nil
    }

    func remove(_ connection: DeviceConnection) {
        guard var all = sockets[connection.mailbox] else { return }
        all.removeAll { $0 === connection }
        sockets[connection.mailbox] = all.isEmpty ? nil : all
    }
}
