internal import HomingRelayProtocol
internal import HomingSQLite

/// Work for a device, or for a sender that only asks.
extension MailboxFile {
    /// Implements `MailboxStore.check`.
    func check(
        _ mailbox: MailboxID, generation: UInt16, at now: Int64
    ) throws(DatabaseError) -> TokenCheck {
        if let row = try mailboxes.row(mailbox) {
            if row.isBlocked { return .blocked }
            if generation < row.generation { return .revoked }
        }
        return .good(try dayCount(of: mailbox, at: now))
    }

    /// Does as `MailboxStore.open` promises.
    func open(
        _ mailbox: MailboxID, generation: UInt16, isProven: Bool, at now: Int64
    ) throws(DatabaseError) -> MailboxView {
        let stored = try mailboxes.row(mailbox)
        if stored?.isBlocked == true { return .blocked }
        var mayBe = stored != nil
        if !mayBe, isProven, try mailboxes.number() < limits.mailboxes {
            mayBe = try hasRoom(for: Self.pageSize)
        }
        if mayBe {
            var row = stored ?? MailboxRow(generation: 0, isBlocked: false, dropped: 0, used: now)
            row.generation = max(row.generation, generation)
            if abs(now - row.used) >= Self.useSpan { row.used = now }
            if row != stored { try mailboxes.put(mailbox, row, isNew: stored == nil) }
        }
        return .open(
            OpenMailbox(
                generation: max(generation, stored?.generation ?? 0),
                waiting: try messages.waiting(mailbox, at: now),
                count: try dayCount(of: mailbox, at: now)))
    }

    /// Implements `MailboxStore.load`.
    func load(
        _ mailbox: MailboxID, except known: Set<MessageID>, limit: Int, bytes: Int, at now: Int64
    ) throws(DatabaseError) -> LoadedMessages {
        var loaded = try messages.load(
            mailbox, except: known, limit: limit, bytes: bytes, at: now)
        loaded.unreported = try mailboxes.row(mailbox)?.dropped ?? 0
        loaded.reported = try messages.countOfDroppedInNotices(mailbox)
        return loaded
    }

    /// Implements `MailboxStore.acknowledge`.
    func acknowledge(
        _ mailbox: MailboxID, _ ids: ArraySlice<MessageID>
    ) throws(DatabaseError) -> Int {
        var count = 0
        for id in ids { count += try messages.delete(id, of: mailbox) }
        return count
    }

    /// Implements `MailboxStore.raiseGeneration`. Returns `.exhausted` after the last generation,
    /// and if the store has no room for another mailbox.
    func raiseGeneration(
        _ mailbox: MailboxID, above generation: UInt16, at now: Int64
    ) throws(DatabaseError) -> Result<UInt16, StoreFailure> {
        let stored = try mailboxes.row(mailbox)
        if stored == nil, try mailboxes.number() >= limits.mailboxes {
            return .failure(.tooManyMailboxes)
        }
        if stored == nil, try !hasRoom(for: Self.pageSize) { return .failure(.noRoom) }
        var row = stored ?? MailboxRow(generation: 0, isBlocked: false, dropped: 0, used: now)
        let last = max(row.generation, generation)
        guard last < .max else {
            return .failure(.tooManyTokens)
        }
        row.generation = last + 1
        row.used = now
        try mailboxes.put(mailbox, row, isNew: stored == nil)
        return .success(row.generation)
    }

    private func dayCount(of mailbox: MailboxID, at now: Int64) throws(DatabaseError) -> DayCount {
        count(try tallies.tally(mailbox, day: RelayTime.day(of: now)), at: now)
    }
}
