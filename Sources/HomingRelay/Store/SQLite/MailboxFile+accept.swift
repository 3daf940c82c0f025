internal import HomingRelayProtocol
internal import HomingSQLite

extension MailboxFile {
    /// Milliseconds after which the use of a mailbox is noted again.
    static let useSpan: Int64 = 6 * 3_600_000

    /// Does as `MailboxStore.accept` promises.
    func accept(_ deposit: Deposit, at now: Int64) throws(DatabaseError) -> Acceptance {
        let stored = try mailboxes.row(deposit.mailbox)
        var row = stored ?? MailboxRow(generation: 0, isBlocked: false, dropped: 0, used: now)
        if row.isBlocked { return .blocked }
        let day = RelayTime.day(of: now)
        let before = try tallies.tally(deposit.mailbox, day: day)
        var tally = before
        switch deposit.content {
        case .push(let kind):
            if deposit.generation < row.generation { return .revoked }
            row.generation = deposit.generation
            if let early = try settle(kind, deposit, &tally, at: now) { return early }
            tally.keep(kind)
        case .notice(.limitReached(let kind)):
            if tally.isTold(kind) { return .outdated }
            tally.markTold(kind)
        case .notice(.dropped): break
        }
        if let bound = try boundReached(by: deposit, isNew: stored == nil) { return .full(bound) }
        let (most, room) = (limits.messages, limits.mailboxBytes)
        let rows = try messages.rows(before: deposit, messages: most, bytes: room, at: now)
        let plan = RoomPlan(for: deposit, among: rows, messages: most, bytes: room, at: now)
        row.dropped += plan.losses
        if case .notice(.dropped(let number)) = deposit.content {
            guard number <= row.dropped else { return .outdated }
            row.dropped -= number
        }
        for id in plan.deleted { try messages.delete(id, of: deposit.mailbox) }
        try messages.insert(deposit)
        if abs(now - row.used) >= Self.useSpan { row.used = now }
        if row != stored { try mailboxes.put(deposit.mailbox, row, isNew: stored == nil) }
        if tally != before { try tallies.put(tally, deposit.mailbox, day: day) }
        if let name = deposit.confirmation { try confirmations.put(name, deposit, at: now) }
        try noteTime(of: deposit.id)
        return .stored(count(tally, at: now))
    }

    /// The early end of a push that is not kept: a repetition, or the day's limit.
    private func settle(
        _ kind: PushRequest.Kind, _ deposit: Deposit, _ tally: inout Tally, at now: Int64
    ) throws(DatabaseError) -> Acceptance? {
        if let name = deposit.confirmation,
            let known = try confirmations.message(name, of: deposit.mailbox, at: now)
        {
            return .repeated(known, count(tally, at: now))
        }
        let limit = kind == .notification ? limits.maximum : limits.commands
        guard limit > 0, tally.kept(kind) >= limit else { return nil }
        tally.refuse(kind)
        try tallies.put(tally, deposit.mailbox, day: RelayTime.day(of: now))
        return .limited(count(tally, at: now), isTold: tally.isTold(kind))
    }

    private func boundReached(
        by deposit: Deposit, isNew: Bool
    ) throws(DatabaseError) -> StoreBound? {
        if isNew, try mailboxes.number() >= limits.mailboxes { return .mailboxes }
        // A parcel takes whole pages, and its row is indexed.
        let need = deposit.parcel.count + 2 * Self.pageSize
        if try usedBytes() + need > limits.bytes { return .bytes }
        return try hasRoom(for: need) ? nil : .disk
    }

    /// The count as senders are told of it.
    func count(_ tally: Tally, at now: Int64) -> DayCount {
        DayCount(
            notifications: tally.notifications, free: tally.free, errors: tally.errors,
            freeErrors: tally.freeErrors, maximum: limits.maximum,
            resetsAt: RelayTime.midnight(after: now))
    }
}
