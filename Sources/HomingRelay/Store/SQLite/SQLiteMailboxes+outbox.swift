public import HomingRelayProtocol
internal import HomingSQLite

// Documented at the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SQLiteMailboxes: Outbox {
    public func setFarToken(
        _ token: PushToken, of mailbox: MailboxID, at url: String,
        _ answer: @escaping StoreAnswer<Void>
    ) {
        submit(answer) { (file) throws(DatabaseError) in
            try file.outbox.setFarToken(
                token, of: mailbox, at: url, most: file.limits.mailboxes,
                hasRoom: file.hasRoom(for: MailboxFile.pageSize))
        }
    }

    public func farToken(
        of mailbox: MailboxID, at url: String, _ answer: @escaping StoreAnswer<PushToken?>
    ) {
        submit(answer) { (file) throws(DatabaseError) in
            .success(try file.outbox.farTokens.token(of: mailbox, at: url))
        }
    }

    public func mailboxesToForward(
        after last: MailboxID?, limit: Int, _ answer: @escaping StoreAnswer<[MailboxID]>
    ) {
        let now = now
        submit(answer) { (file) throws(DatabaseError) in
            .success(try file.mailboxes.toForward(after: last, limit: limit, at: now))
        }
    }

    public func next(
        of mailbox: MailboxID, at url: String, isFreeOnly: Bool,
        _ answer: @escaping StoreAnswer<OutgoingMail>
    ) {
        let now = now
        submit(answer) { (file) throws(DatabaseError) in
            .success(try file.outbox.next(of: mailbox, at: url, isFreeOnly: isFreeOnly, at: now))
        }
    }

    public func discard(
        _ id: MessageID, of mailbox: MailboxID, _ answer: @escaping StoreAnswer<Void>
    ) {
        submit(answer) { (file) throws(DatabaseError) in
            .success(try file.outbox.discard(id, of: mailbox))
        }
    }
}
