internal import HomingRelayProtocol
internal import HomingSQLite

/// Work for the operator, and for the passing of time.
extension MailboxFile {
    /// Does as `MailboxStore.setBlocked` promises.
    func setBlocked(
        _ mailbox: MailboxID, _ isBlocked: Bool
    ) throws(DatabaseError) -> Bool {
        guard var row = try mailboxes.row(mailbox) else { return false }
        guard row.isBlocked != isBlocked else { return true }
        row.isBlocked = isBlocked
        // The token is revoked. After an unblock the device proves its key and gets a new token.
        if isBlocked, row.generation < .max { row.generation += 1 }
        try mailboxes.put(mailbox, row, isNew: false)
        return true
    }

    /// Does as `MailboxStore.forget` promises.
    func forget(_ mailbox: MailboxID) throws(DatabaseError) -> Bool {
        guard var row = try mailboxes.row(mailbox) else { return false }
        try messages.deleteAll(of: mailbox)
        try tallies.removeAll(of: mailbox)
        try confirmations.removeAll(of: mailbox)
        try outbox.farTokens.remove(mailbox)
        guard row.isBlocked || row.generation > 0 else {
            try mailboxes.remove(mailbox)
            return true
        }
        row.dropped = 0
        try mailboxes.put(mailbox, row, isNew: false)
        return true
    }

    /// Does as `MailboxStore.mailboxes` promises.
    func summaries(
        after last: MailboxID?, limit: Int, at now: Int64
    ) throws(DatabaseError) -> [MailboxSummary] {
        var found: [MailboxSummary] = []
        for (mailbox, row) in try mailboxes.rows(after: last, limit: limit) {
            let waiting = try messages.rows(of: mailbox).filter { $0.expires > now }
            found.append(
                MailboxSummary(
                    mailbox: mailbox, generation: row.generation, isBlocked: row.isBlocked,
                    waiting: waiting.count, bytes: waiting.reduce(0) { $0 + $1.size },
                    dropped: row.dropped + waiting.reduce(0) { $0 + $1.tells }, used: row.used))
        }
        return found
    }

    /// Does as `MailboxStore.addInvitation` promises.
    func addInvitation(
        _ hash: [UInt8], expires: Int64, uses: Int
    ) throws(DatabaseError) -> Result<Void, StoreFailure> {
        guard try invitations.number() < limits.invitations else {
            return .failure(.tooManyInvitations(limits.invitations))
        }
        try invitations.add(hash, expires: expires, uses: uses)
        return .success(())
    }

    func statistics() throws(DatabaseError) -> StoreStatistics {
        StoreStatistics(
            mailboxes: try mailboxes.number(),
            messages: Int(try database.integer("SELECT count(*) FROM message") ?? 0),
            bytes: try usedBytes(), invitations: try invitations.number())
    }

    /// Rows of each table that one piece of sweeping deletes, so that other work does not wait
    /// long.
    static let sweepSize = 200
    /// Days for which counts are kept, in case the clock is set back.
    private static let tallyDays = 3
    private static let day: Int64 = 86_400_000
    /// Days without use after which a mailbox is deleted. `atLast` applies to a mailbox with
    /// revoked tokens, or with dropped messages that the device has not been told of.
    private static let unusedDays: (usually: Int64, atLast: Int64) = (60, 400)

    /// Does as `MailboxStore.sweep` promises, by the date of a `StoreCalendar`.
    func sweep(at now: Int64) throws(DatabaseError) -> Swept {
        try noteSweep(at: now)
        var swept = Swept()
        let size = Self.sweepSize
        let expired = try messages.expired(at: now, limit: size)
        for message in expired {
            try messages.delete(message.id, of: message.mailbox)
            try mailboxes.addDropped(message.losses, to: message.mailbox)
        }
        swept.messages = expired.count
        let today = RelayTime.day(of: now)
        let tallies = try tallies.remove(before: today - Self.tallyDays, limit: size)
        let confirmations = try confirmations.remove(until: now, limit: size)
        let invitations = try invitations.remove(until: now, limit: size)
        swept.mailboxes = try mailboxes.removeUnused(
            since: now - Self.unusedDays.usually * Self.day,
            orRemembering: now - Self.unusedDays.atLast * Self.day, limit: size)
        swept.isMoreLeft = [
            expired.count, tallies, confirmations, invitations, swept.mailboxes,
        ].contains(size)
        return swept
    }
}
