internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingValkey

/// Operations on all mailboxes: asks each shelf, and joins the answers.
@LoopActor final class MailboxShelves {
    /// Shelves that are asked at once for a page: each may have a whole page.
    private static let listedAtOnce = 16
    /// Mailboxes of a shelf that a piece of sweeping takes.
    private static let sweepSize = 200

    private let scripts: ScriptRunner

    init(_ scripts: ScriptRunner) { self.scripts = scripts }

    /// Mailboxes in the order of their ids, which is that of the shelves.
    func list(
        after last: MailboxID?, limit: Int, _ answer: @escaping StoreAnswer<[MailboxSummary]>
    ) {
        page(from: Int(last?.bytes.first ?? 0), after: last?.bytes ?? [], limit: limit, [], answer)
    }

    private func page(
        from first: Int, after last: [UInt8], limit: Int, _ found: [MailboxSummary],
        _ answer: @escaping StoreAnswer<[MailboxSummary]>
    ) {
        let size = min(Self.listedAtOnce, MailboxKeys.shelves - first)
        guard size > 0, found.count < limit else {
            return answer(.success(Array(found.prefix(limit))))
        }
        let gathering = Gathering<[MailboxSummary]>(size: size) { [weak self] result in
            switch result {
            case .failure(let failure): answer(.failure(failure))
            case .success(let pages):
                self?.page(
                    from: first + size, after: last, limit: limit, found + pages.joined(), answer)
            }
        }
        for place in 0..<size {
            let prefix = MailboxKeys.prefix(first + place)
            let take: StoreAnswer<[MailboxSummary]> = { gathering.gatherAnswer($0, at: place) }
            scripts.run(
                ShelfScripts.list, [prefix + [UInt8(ascii: "i")]],
                [prefix, last, [UInt8](text: limit)], take
            ) { EngineReplies.summaries($0).map { .success($0) } }
        }
    }

    /// Counts mailboxes, messages, their bytes, and invitations.
    func statistics(_ answer: @escaping StoreAnswer<StoreStatistics>) {
        let shelves = MailboxKeys.shelves
        let gathering = Gathering<[Int]>(size: 2 * shelves + 1) { result in
            answer(
                result.map { counts in
                    StoreStatistics(
                        mailboxes: counts[..<shelves].reduce(0) { $0 + $1[0] },
                        messages: counts[shelves..<2 * shelves].reduce(0) { $0 + $1[0] },
                        bytes: counts[shelves..<2 * shelves].reduce(0) { $0 + $1[1] },
                        invitations: counts[2 * shelves][0])
                })
        }
        func count(_ words: [String], _ key: [UInt8], _ more: [String] = [], at place: Int) {
            let command = Command(
                words.map { Array($0.utf8) } + [key] + more.map { Array($0.utf8) })
            let take: StoreAnswer<[Int]> = { gathering.gatherAnswer($0, at: place) }
            scripts.sendCommand(command, key, take) { reply in
                if more.isEmpty { return reply.count.map { .success([$0]) } }
                guard let numbers = reply.array, numbers.count == more.count else { return nil }
                return .success(numbers.map { $0.count ?? 0 })
            }
        }
        for shelf in 0..<shelves {
            let prefix = MailboxKeys.prefix(shelf)
            count(["ZCARD"], prefix + [UInt8(ascii: "i")], at: shelf)
            count(
                ["HMGET"], prefix + [UInt8(ascii: "n")], ["messages", "bytes"], at: shelves + shelf)
        }
        count(["HLEN"], MailboxKeys.invitations, at: 2 * shelves)
    }

    /// The engine's time, and the date of the last sweep, if there was a sweep: milliseconds since 1970.
    func dates(_ answer: @escaping StoreAnswer<(now: Int64, last: Int64?)>) {
        scripts.run(CommonScripts.dates, [MailboxKeys.swept], [], answer) { reply in
            guard let parts = reply.array, parts.count == 2, let now = parts[0].time else {
                return nil
            }
            return .success((now, parts[1].time))
        }
    }

    /// Sweeps a piece of each shelf, and the invitations; notes the date.
    ///
    /// - Parameter date: of a `StoreCalendar`: milliseconds since 1970.
    func sweep(at date: Int64, _ answer: @escaping StoreAnswer<Swept>) {
        let gathering = Gathering<[Int]>(size: MailboxKeys.shelves + 1) { result in
            answer(
                result.map { all in
                    var swept = Swept()
                    for numbers in all where numbers.count == 3 {
                        swept.messages += numbers[0]
                        swept.mailboxes += numbers[1]
                        if numbers[2] == Self.sweepSize { swept.isMoreLeft = true }
                    }
                    return swept
                })
        }
        for shelf in 0..<MailboxKeys.shelves {
            let prefix = MailboxKeys.prefix(shelf)
            let take: StoreAnswer<[Int]> = { gathering.gatherAnswer($0, at: shelf) }
            scripts.run(
                ShelfScripts.sweep, [prefix + Array("due".utf8)],
                [prefix, [UInt8](text: Self.sweepSize)], at: date, take
            ) { $0.array.map { .success($0.compactMap(\.count)) } }
        }
        let take: StoreAnswer<[Int]> = { gathering.gatherAnswer($0, at: MailboxKeys.shelves) }
        scripts.run(
            CommonScripts.sweepInvitations, [MailboxKeys.invitations, MailboxKeys.swept], [],
            at: date, take
        ) { reply in reply.count.map { .success([$0]) } }
    }
}
