internal import HomingRelayProtocol
internal import HomingSQLite

/// The part of the mailboxes' file that a front passes on: far tokens, and the messages that wait.
struct MailboxOutbox {
    let farTokens: FarTokenTable
    private let mailboxes: MailboxTable
    private let messages: MessageTable

    init(database: Database, _ mailboxes: MailboxTable, _ messages: MessageTable) {
        farTokens = FarTokenTable(database: database)
        self.mailboxes = mailboxes
        self.messages = messages
    }

    /// Implements `Outbox.setFarToken`. Fails if the store has no room for another mailbox.
    ///
    /// - Parameters:
    ///   - most: mailboxes that may have a far token.
    ///   - hasRoom: whether the disk has room for another row.
    func setFarToken(
        _ token: PushToken, of mailbox: MailboxID, at url: String, most: Int, hasRoom: Bool
    ) throws(DatabaseError) -> Result<Void, StoreFailure> {
        if try !farTokens.has(mailbox) {
            guard try farTokens.number() < most else { return .failure(.tooManyMailboxes) }
            guard hasRoom else { return .failure(.noRoom) }
        }
        try farTokens.put(token, of: mailbox, at: url)
        return .success(())
    }

    /// Implements `Outbox.next`.
    func next(
        of mailbox: MailboxID, at url: String, isFreeOnly: Bool, at now: Int64
    ) throws(DatabaseError) -> OutgoingMail {
        let row = try mailboxes.row(mailbox)
        var mail = OutgoingMail(
            token: try farTokens.token(of: mailbox, at: url), message: nil, unreported: 0)
        guard row?.isBlocked != true else { return mail }
        mail.unreported = row?.dropped ?? 0
        mail.message = try messages.next(of: mailbox, isFreeOnly: isFreeOnly, at: now)
        return mail
    }

    /// Implements `Outbox.discard`. The far relay would refuse a notice of a discarded notice, too.
    func discard(_ id: MessageID, of mailbox: MailboxID) throws(DatabaseError) {
        let row = try messages.rows(of: mailbox).first { $0.id == id }
        guard let row, try messages.delete(id, of: mailbox) > 0 else { return }
        if row.kind == .message { try mailboxes.addDropped(1, to: mailbox) }
    }
}
