internal import HomingRelayProtocol
internal import HomingValkey

/// Reads the answers of the mailboxes' scripts. `nil` is an answer that no script gives.
enum EngineReplies {
    /// An answer that begins with its outcome.
    private static func outcome(_ reply: Reply) -> (word: String, rest: [Reply])? {
        guard let parts = reply.array, let word = parts.first?.string else { return nil }
        return (word, Array(parts.dropFirst()))
    }

    /// Four counts, and when the day ends.
    private static func count(
        _ parts: some BidirectionalCollection<Reply>, maximum: Int
    ) -> DayCount? {
        let numbers = parts.compactMap(\.count)
        guard numbers.count == 5, let resetsAt = parts.last?.time else { return nil }
        return DayCount(
            notifications: numbers[0], free: numbers[1], errors: numbers[2], freeErrors: numbers[3],
            maximum: maximum, resetsAt: resetsAt)
    }

    /// Whether a deposit had expired by the engine's clock before it came.
    static func isLate(_ reply: Reply) -> Bool { outcome(reply)?.word == "late" }

    /// The outcome of a deposit, and whether a mailbox was made.
    static func acceptance(
        _ reply: Reply, maximum: Int
    ) -> (acceptance: Acceptance, hasMade: Bool)? {
        guard let (word, rest) = outcome(reply) else { return nil }
        let day = count(rest.dropFirst(), maximum: maximum)
        switch word {
        case "stored": return day.map { (.stored($0), rest[0].number == 1) }
        case "repeated":
            guard let day, let id = rest[0].bytes.flatMap(MessageID.init(bytes:)) else {
                return nil
            }
            return (.repeated(id, day), false)
        case "limited": return day.map { (.limited($0, isTold: rest[0].number == 1), false) }
        case "outdated": return (.outdated, false)
        case "revoked": return (.revoked, false)
        case "blocked": return (.blocked, false)
        case "full": return (.full(.mailboxes), false)
        default: return nil
        }
    }

    static func check(_ reply: Reply, maximum: Int) -> TokenCheck? {
        guard let (word, rest) = outcome(reply) else { return nil }
        switch word {
        case "good": return count(rest, maximum: maximum).map { .good($0) }
        case "revoked": return .revoked
        case "blocked": return .blocked
        default: return nil
        }
    }

    /// A mailbox as its device meets it, and whether it was made.
    static func view(_ reply: Reply, maximum: Int) -> (view: MailboxView, hasMade: Bool)? {
        guard let (word, rest) = outcome(reply) else { return nil }
        if word == "blocked" { return (.blocked, false) }
        let numbers = rest.prefix(3).compactMap(\.count)
        guard word == "open", numbers.count == 3,
            let day = count(rest.dropFirst(3), maximum: maximum),
            let generation = UInt16(exactly: numbers[1])
        else { return nil }
        let open = OpenMailbox(generation: generation, waiting: numbers[2], count: day)
        return (.open(open), numbers[0] == 1)
    }

    static func messages(_ reply: Reply) -> LoadedMessages? {
        guard let parts = reply.array, parts.count == 4, let unreported = parts[0].count,
            let reported = parts[1].count, let more = parts[2].number, let found = parts[3].array,
            found.count.isMultiple(of: 2)
        else { return nil }
        var loaded = LoadedMessages(
            isMoreLeft: more == 1, unreported: unreported, reported: reported)
        for place in stride(from: 0, to: found.count, by: 2) {
            guard let id = found[place].bytes.flatMap(MessageID.init(bytes:)),
                let parcel = found[place + 1].bytes
            else { return nil }
            loaded.messages.append(StoredMessage(id: id, parcel: parcel))
        }
        return loaded
    }

    /// The next generation, and whether a mailbox was made; or why there is no next generation.
    static func generation(
        _ reply: Reply
    ) -> Result<(generation: UInt16, hasMade: Bool), StoreFailure>? {
        guard let (word, rest) = outcome(reply) else { return nil }
        switch word {
        case "full": return .failure(.tooManyMailboxes)
        case "exhausted": return .failure(.tooManyTokens)
        case "raised":
            guard let generation = rest.last?.number.flatMap({ UInt16(exactly: $0) }) else {
                return nil
            }
            return .success((generation, rest[0].number == 1))
        default: return nil
        }
    }

    static func summaries(_ reply: Reply) -> [MailboxSummary]? {
        guard let rows = reply.array else { return nil }
        let found = rows.compactMap { row -> MailboxSummary? in
            guard let fields = row.array, fields.count == 7,
                let id = fields[0].bytes.flatMap(MailboxID.init(bytes:)),
                let generation = fields[1].number.flatMap({ UInt16(exactly: $0) })
            else { return nil }
            let numbers = fields.dropFirst(2).compactMap(\.count)
            guard numbers.count == 5, let used = fields[6].time else { return nil }
            return MailboxSummary(
                mailbox: id, generation: generation, isBlocked: numbers[0] == 1,
                waiting: numbers[1],
                bytes: numbers[2], dropped: numbers[3], used: used)
        }
        return found.count == rows.count ? found : nil
    }
}

/// Numbers that somebody else may have written: no sum of them overflows.
extension Reply {
    /// A number as a count, from zero to `Int32.max`.
    var count: Int? { number.map { min(max(0, $0), Int(Int32.max)) } }

    /// A number as a time: milliseconds since 1970.
    var time: Int64? { number.map { RelayTime.bounded(Int64($0)) } }
}
