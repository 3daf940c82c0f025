import HomingBase
import HomingRelayProtocol

@testable import HomingRelay

/// Mailboxes as plain arrays: what the file is compared with.
struct ModelMailboxes {
    struct Message {
        var deposit: Deposit
        var tells: Int

        var isMessage: Bool {
            if case .push = deposit.content { !deposit.isClearing } else { false }
        }
        var losses: Int { tells + (isMessage ? 1 : 0) }

        /// Notices of one kind have the same text here.
        var noticeKind: String? {
            switch deposit.content {
            case .push: nil
            case .notice(.limitReached(.notification)): "limit"
            case .notice(.limitReached(.free)): "free limit"
            case .notice(.dropped): "dropped"
            }
        }
    }

    struct Box {
        var generation: UInt16 = 0
        var isBlocked = false
        var dropped = 0
        var used: Int64
        var messages: [Message] = []
    }

    struct Day: Hashable {
        let number: Int
        let mailbox: MailboxID
    }

    struct Invitation {
        var expires: Int64
        var uses: Int
        var spender: MailboxID?
    }

    /// The engine ends confirmations by its own clock, and keeps the counts of eight days of a mailbox
    /// whatever the date is.
    var isEngine = false
    var limits = StoreLimits()
    var boxes: [MailboxID: Box] = [:]
    var days: [Day: (kept: [Int], refused: [Int], told: Set<Int>)] = [:]
    var confirmations: [[UInt8]: (id: MessageID, until: Int64)] = [:]
    var invitations: [[UInt8]: Invitation] = [:]

    /// Writes the counts of a day.
    private mutating func put(
        _ tally: (kept: [Int], refused: [Int], told: Set<Int>), on key: Day
    ) {
        if isEngine, days[key] == nil {
            let others = days.keys.filter { $0.mailbox == key.mailbox }
            let isFar = { (other: Day) in other.number > key.number + 3 }
            let ranked = others.sorted {
                isFar($0) == isFar($1) ? $0.number < $1.number : isFar($0)
            }
            for other in ranked.prefix(max(0, ranked.count - 7)) { days[other] = nil }
        }
        days[key] = tally
    }

    private func day(_ mailbox: MailboxID, _ now: Int64) -> Day {
        Day(number: Int(now / 86_400_000), mailbox: mailbox)
    }

    func count(_ mailbox: MailboxID, _ now: Int64) -> DayCount {
        let tally = days[day(mailbox, now)]
        return DayCount(
            notifications: tally?.kept[0] ?? 0, free: tally?.kept[1] ?? 0,
            errors: tally?.refused[0] ?? 0, freeErrors: tally?.refused[1] ?? 0,
            maximum: limits.maximum, resetsAt: (now / 86_400_000 + 1) * 86_400_000)
    }

    mutating func accept(_ deposit: Deposit, at now: Int64) -> Acceptance {
        let id = deposit.mailbox
        let isNew = boxes[id] == nil
        var box = boxes[id] ?? Box(used: now)
        if box.isBlocked { return .blocked }
        let key = day(id, now)
        var tally = days[key] ?? ([0, 0], [0, 0], [])
        switch deposit.content {
        case .push(let kind):
            if deposit.generation < box.generation { return .revoked }
            box.generation = deposit.generation
            if let name = deposit.confirmation, let known = confirmations[id.bytes + name],
                known.until > now, known.until <= now + 600_000
            {
                return .repeated(known.id, count(id, now))
            }
            let index = kind == .notification ? 0 : 1
            let limit = index == 0 ? limits.maximum : limits.commands
            if limit > 0, tally.kept[index] >= limit {
                tally.refused[index] += 1
                put(tally, on: key)
                return .limited(count(id, now), isTold: tally.told.contains(index))
            }
            tally.kept[index] += 1
        case .notice(.limitReached(let kind)):
            let index = kind == .notification ? 0 : 1
            if tally.told.contains(index) { return .outdated }
            tally.told.insert(index)
        case .notice(.dropped): break
        }
        if isNew, boxes.count >= limits.mailboxes { return .full(.mailboxes) }
        var message = Message(deposit: deposit, tells: 0)
        makeRoom(for: message, in: &box, at: now)
        if case .notice(.dropped(let number)) = deposit.content {
            guard number <= box.dropped else { return .outdated }
            box.dropped -= number
            message.tells = number
        }
        box.messages.append(message)
        if abs(now - box.used) >= 6 * 3_600_000 { box.used = now }
        boxes[id] = box
        if case .notice(.dropped) = deposit.content {} else { put(tally, on: key) }
        if let name = deposit.confirmation {
            confirmations[id.bytes + name] = (deposit.id, min(deposit.expires, now + 600_000))
        }
        return .stored(count(id, now))
    }

    private func makeRoom(for message: Message, in box: inout Box, at now: Int64) {
        let isReplaced = { (old: Message) -> Bool in
            if let kind = message.noticeKind { return old.noticeKind == kind }
            return old.deposit.tag != nil && old.deposit.tag == message.deposit.tag
        }
        box.dropped += box.messages.filter(isReplaced).reduce(0) { $0 + $1.tells }
        box.messages.removeAll(where: isReplaced)
        box.dropped += box.messages.filter { $0.deposit.expires <= now }
            .reduce(0) { $0 + $1.losses }
        box.messages.removeAll { $0.deposit.expires <= now }
        guard message.noticeKind == nil else { return }
        let rivals = { (box: Box) in
            box.messages.indices.filter { box.messages[$0].noticeKind == nil }
        }
        let bytes = { (box: Box) in
            rivals(box).reduce(0) { $0 + box.messages[$1].deposit.parcel.count }
        }
        while let first = rivals(box).first,
            rivals(box).count >= limits.messages
                || bytes(box) + message.deposit.parcel.count > limits.mailboxBytes
        {
            box.dropped += box.messages[first].losses
            box.messages.remove(at: first)
        }
    }

    func check(_ id: MailboxID, generation: UInt16, at now: Int64) -> TokenCheck {
        if boxes[id]?.isBlocked == true { return .blocked }
        if generation < boxes[id]?.generation ?? 0 { return .revoked }
        return .good(count(id, now))
    }

    mutating func open(
        _ id: MailboxID, generation: UInt16, isProven: Bool, at now: Int64
    ) -> MailboxView {
        if boxes[id]?.isBlocked == true { return .blocked }
        if isProven, boxes[id] == nil, boxes.count < limits.mailboxes { boxes[id] = Box(used: now) }
        let newest = max(generation, boxes[id]?.generation ?? 0)
        boxes[id]?.generation = newest
        if let used = boxes[id]?.used, abs(now - used) >= 6 * 3_600_000 { boxes[id]?.used = now }
        let box = boxes[id]
        let waiting = box?.messages.filter { $0.deposit.expires > now } ?? []
        return .open(
            OpenMailbox(
                generation: max(generation, box?.generation ?? 0), waiting: waiting.count,
                count: count(id, now)))
    }

    func load(
        _ id: MailboxID, except known: Set<MessageID>, limit: Int, bytes: Int, at now: Int64
    ) -> LoadedMessages {
        let all = boxes[id]?.messages ?? []
        let wanted = all.filter { $0.deposit.expires > now && !known.contains($0.deposit.id) }
        // Each as long as those before it have fewer bytes.
        let starts = wanted.indices.map { end in
            wanted[..<end].reduce(0) { $0 + $1.deposit.parcel.count }
        }
        let count = min(limit, starts.count { $0 < bytes })
        return LoadedMessages(
            messages: wanted.prefix(count).map {
                StoredMessage(id: $0.deposit.id, parcel: $0.deposit.parcel)
            }, isMoreLeft: count < wanted.count, unreported: boxes[id]?.dropped ?? 0,
            reported: all.reduce(0) { $0 + $1.tells })
    }

    mutating func acknowledge(_ id: MailboxID, _ ids: [MessageID]) -> Int {
        let before = boxes[id]?.messages.count ?? 0
        boxes[id]?.messages.removeAll { ids.contains($0.deposit.id) }
        return before - (boxes[id]?.messages.count ?? 0)
    }

    mutating func raise(_ id: MailboxID, above generation: UInt16, at now: Int64) -> UInt16? {
        if boxes[id] == nil, boxes.count >= limits.mailboxes { return nil }
        var box = boxes[id] ?? Box(used: now)
        guard max(box.generation, generation) < .max else { return nil }
        box.generation = max(box.generation, generation) + 1
        box.used = now
        boxes[id] = box
        return box.generation
    }

    mutating func setBlocked(_ id: MailboxID, _ isBlocked: Bool) -> Bool {
        guard var box = boxes[id] else { return false }
        if isBlocked, !box.isBlocked, box.generation < .max { box.generation += 1 }
        box.isBlocked = isBlocked
        boxes[id] = box
        return true
    }

    mutating func forget(_ id: MailboxID) -> Bool {
        guard var box = boxes[id] else { return false }
        days = days.filter { $0.key.mailbox != id }
        confirmations = confirmations.filter { !$0.key.starts(with: id.bytes) }
        box.messages = []
        box.dropped = 0
        boxes[id] = box.isBlocked || box.generation > 0 ? box : nil
        return true
    }

    mutating func spend(_ hash: [UInt8], for id: MailboxID, at now: Int64) -> Bool {
        guard var invitation = invitations[hash], invitation.expires > now else { return false }
        if invitation.spender != id {
            guard invitation.uses > 0 else { return false }
            invitation.uses -= 1
            invitation.spender = id
        }
        invitations[hash] = invitation
        return true
    }

    mutating func sweep(at now: Int64) {
        for (id, box) in boxes {
            let gone = box.messages.filter { $0.deposit.expires <= now }
            boxes[id]?.messages.removeAll { $0.deposit.expires <= now }
            boxes[id]?.dropped += gone.reduce(0) { $0 + $1.losses }
        }
        if !isEngine {
            days = days.filter { $0.key.number >= now / 86_400_000 - 3 }
            confirmations = confirmations.filter { $0.value.until > now }
        }
        invitations = invitations.filter { $0.value.expires > now }
        let day: Int64 = 86_400_000
        boxes = boxes.filter { _, box in
            let isRemembered = box.generation > 0 || box.dropped > 0
            return box.isBlocked || !box.messages.isEmpty || box.used >= now - 60 * day
                || isRemembered && box.used >= now - 400 * day
        }
        // The engine has the counts in the mailbox's row.
        if isEngine { days = days.filter { boxes[$0.key.mailbox] != nil } }
    }
}
