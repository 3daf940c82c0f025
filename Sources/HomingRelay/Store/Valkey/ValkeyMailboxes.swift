internal import HomingBase
public import HomingRelayProtocol
public import HomingRuntime
internal import HomingValkey

/// The mailboxes of several relays in a shared engine: Valkey, or Redis from 7.0 on, a node or a cluster.
///
/// Each operation is a script on one slot, at the engine's time. A write is on the disks of the
/// engine and of `replicas` replicas before its answer. Reads and acknowledgements wait for no
/// disk: the device knows a repeated message by its id. docs/decisions/0045-shared-engine.md
@LoopActor public final class ValkeyMailboxes {
    let engine: Engine
    let limits: StoreLimits
    let scripts: ScriptRunner
    private let shelves: MailboxShelves
    // Documented at the protocol.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public nonisolated let firstTime: Int64
    /// Mailboxes: the last count, and those that this instance has made since.
    private var population = 0
    /// Valkey or Redis, with its version.
    private let version: String
    private var told: (@LoopActor (StoreEvent) -> Void)?
    private let clock: any Clockwork
    private let calendar: EngineCalendar

    /// - Parameter playedTime: the clock, where it is not the engine's.
    init(
        _ engine: Engine, limits: StoreLimits, version: String = "", firstTime: Int64,
        clock: any Clockwork, playedTime: (@LoopActor () -> Int64)? = nil
    ) {
        self.engine = engine
        self.limits = limits
        self.version = version
        self.firstTime = firstTime
        self.clock = clock
        scripts = ScriptRunner(engine, playedTime)
        shelves = MailboxShelves(scripts)
        calendar = EngineCalendar(shelves, clock)
    }

    /// Handles an event of a channel.
    func heard(_ event: EngineChannelEvent) {
        switch event {
        case .followed(let channel): followed(channel)
        case .message(let text, let channel):
            switch String(decoding: text, as: UTF8.self) {
            case "stored": reportStoreEvent(StoreEvent.stored, channel)
            case "blocked": reportStoreEvent(StoreEvent.blocked, channel)
            case "keys": told?(.keysChanged)
            default: break
            }
        }
    }

    /// A channel is followed from now on, perhaps after a pause in which something was missed: looks at
    /// what may have happened meanwhile.
    private func followed(_ channel: [UInt8]) {
        reportStoreEvent(StoreEvent.stored, channel)
        guard channel != MailboxKeys.ring, let mailbox = MailboxKeys.mailbox(ofRow: channel) else {
            return
        }
        check(mailbox, generation: .max) { [weak self] result in
            if case .success(.blocked) = result { self?.told?(.blocked(mailbox)) }
        }
    }

    private func reportStoreEvent(_ event: (MailboxID) -> StoreEvent, _ channel: [UInt8]) {
        if channel == MailboxKeys.ring {
            told?(.keysChanged)
        } else if let mailbox = MailboxKeys.mailbox(ofRow: channel) {
            told?(event(mailbox))
        }
    }

    private var mayMake: [UInt8] { [UInt8](text: population < limits.mailboxes) }

    /// Runs the script of a mailbox.
    private func run<Value: Sendable>(
        _ script: Script, _ mailbox: MailboxID, _ arguments: [[UInt8]] = [],
        isLasting: Bool = false, _ answer: @escaping StoreAnswer<Value>,
        _ read: @escaping @LoopActor (Reply) -> Result<Value, StoreFailure>?
    ) {
        scripts.run(
            script, MailboxKeys.all(mailbox),
            [MailboxKeys.prefix(of: mailbox), mailbox.bytes] + arguments, isLasting: isLasting,
            answer, read)
    }
}

// Documented at the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ValkeyMailboxes: MailboxStore {
    public func listen(_ told: @escaping @LoopActor (StoreEvent) -> Void) {
        self.told = told
        engine.follow(MailboxKeys.ring)
    }

    public func follow(_ mailbox: MailboxID) { engine.follow(MailboxKeys.row(mailbox)) }

    public func unfollow(_ mailbox: MailboxID) { engine.unfollow(MailboxKeys.row(mailbox)) }

    public func accept(_ deposit: Deposit, _ answer: @escaping StoreAnswer<Acceptance>) {
        var content = "n"
        var dropped = 0
        switch deposit.content {
        case .push(.notification): content = "n"
        case .push(.free): content = "f"
        case .notice(.limitReached(.notification)): content = "l"
        case .notice(.limitReached(.free)): content = "m"
        case .notice(.dropped(let number)): (content, dropped) = ("d", number)
        }
        let arguments: [[UInt8]] = [
            deposit.id.bytes, Array(content.utf8), [UInt8](text: deposit.generation),
            [UInt8](text: deposit.expires), deposit.tag ?? [], deposit.confirmation ?? [],
            [UInt8](text: WaitingRow.Kind(deposit).rawValue), [UInt8](text: dropped),
            deposit.parcel,
            [UInt8](text: limits.maximum), [UInt8](text: limits.commands),
            [UInt8](text: limits.messages), [UInt8](text: limits.mailboxBytes), mayMake,
        ]
        run(MailboxScripts.accept, deposit.mailbox, arguments, isLasting: true, answer) {
            [weak self, limits] reply in
            if EngineReplies.isLate(reply) { return .failure(.clockAhead) }
            guard let read = EngineReplies.acceptance(reply, maximum: limits.maximum) else {
                return nil
            }
            if read.hasMade { self?.population += 1 }
            return .success(read.acceptance)
        }
    }

    public func check(
        _ mailbox: MailboxID, generation: UInt16, _ answer: @escaping StoreAnswer<TokenCheck>
    ) {
        run(MailboxScripts.check, mailbox, [[UInt8](text: generation)], answer) { [limits] reply in
            EngineReplies.check(reply, maximum: limits.maximum).map { .success($0) }
        }
    }

    public func open(
        _ mailbox: MailboxID, generation: UInt16, isProven: Bool,
        _ answer: @escaping StoreAnswer<MailboxView>
    ) {
        let mayMake = isProven ? mayMake : [UInt8](text: false)
        run(MailboxScripts.open, mailbox, [[UInt8](text: generation), mayMake], answer) {
            [weak self, limits] reply in
            guard let read = EngineReplies.view(reply, maximum: limits.maximum) else { return nil }
            if read.hasMade { self?.population += 1 }
            return .success(read.view)
        }
    }

    public func load(
        _ mailbox: MailboxID, except known: Set<MessageID>, limit: Int, bytes: Int,
        _ answer: @escaping StoreAnswer<LoadedMessages>
    ) {
        let arguments = [
            [UInt8](text: limit), [UInt8](text: bytes), known.flatMap(\.bytes),
        ]
        run(MailboxScripts.load, mailbox, arguments, answer) { reply in
            EngineReplies.messages(reply).map { .success($0) }
        }
    }

    public func acknowledge(
        _ mailbox: MailboxID, _ ids: [MessageID], _ answer: @escaping StoreAnswer<Int>
    ) {
        let ids = ids.prefix(RelayFrame.window).flatMap(\.bytes)
        run(MailboxScripts.acknowledge, mailbox, [ids], answer) { $0.number.map { .success($0) } }
    }

    public func waiting(
        among mailboxes: [MailboxID], _ answer: @escaping StoreAnswer<[MailboxID]>
    ) {
        guard !mailboxes.isEmpty else { return answer(.success([])) }
        let gathering = Gathering<Bool>(size: mailboxes.count) { result in
            answer(result.map { zip(mailboxes, $0).filter(\.1).map(\.0) })
        }
        for (place, mailbox) in mailboxes.enumerated() {
            let take: StoreAnswer<Bool> = { gathering.gatherAnswer($0, at: place) }
            run(MailboxScripts.isWaiting, mailbox, [], take) {
                $0.number.map { .success($0 == 1) }
            }
        }
    }

    public func raiseGeneration(
        _ mailbox: MailboxID, above generation: UInt16, _ answer: @escaping StoreAnswer<UInt16>
    ) {
        run(
            MailboxScripts.raise, mailbox, [[UInt8](text: generation), mayMake], isLasting: true,
            answer
        ) { [weak self] reply in
            EngineReplies.generation(reply)?.map { raised in
                if raised.hasMade { self?.population += 1 }
                return raised.generation
            }
        }
    }

    public func setBlocked(
        _ mailbox: MailboxID, _ isBlocked: Bool, _ answer: @escaping StoreAnswer<Bool>
    ) {
        run(MailboxScripts.block, mailbox, [[UInt8](text: isBlocked)], isLasting: true, answer) {
            $0.number.map { .success($0 == 1) }
        }
    }

    public func forget(_ mailbox: MailboxID, _ answer: @escaping StoreAnswer<Bool>) {
        run(MailboxScripts.forget, mailbox, isLasting: true, answer) { [weak self] reply in
            if reply.number == 2 { self?.population -= 1 }
            return reply.number.map { .success($0 > 0) }
        }
    }

    public func mailboxes(
        after last: MailboxID?, limit: Int, _ answer: @escaping StoreAnswer<[MailboxSummary]>
    ) {
        shelves.list(after: last, limit: limit, answer)
    }

    public func addInvitation(
        _ hash: [UInt8], expires: Int64, uses: Int, _ answer: @escaping StoreAnswer<Void>
    ) {
        let arguments = [
            hash, [UInt8](text: expires), [UInt8](text: uses), [UInt8](text: limits.invitations),
        ]
        let limit = limits.invitations
        scripts.run(
            CommonScripts.addInvitation, [MailboxKeys.invitations], arguments, isLasting: true,
            answer
        ) { $0.number == 1 ? .success(()) : .failure(.tooManyInvitations(limit)) }
    }

    public func spend(
        _ hash: [UInt8], for mailbox: MailboxID, _ answer: @escaping StoreAnswer<Bool>
    ) {
        scripts.run(
            CommonScripts.spend, [MailboxKeys.invitations],
            [hash, Array(mailbox.hexadecimal.utf8)], isLasting: true, answer
        ) { $0.number.map { .success($0 == 1) } }
    }

    public func statistics(_ answer: @escaping StoreAnswer<StoreStatistics>) {
        let begin = clock.now().uptime
        shelves.statistics { [weak self] result in
            guard let self else { return answer(.failure(.closed)) }
            answer(
                result.map { counted in
                    var statistics = counted
                    population = counted.mailboxes
                    statistics.operations = scripts.operations
                    statistics.engine = EngineReport(
                        version: version, nodes: engine.nodes.map { "\($0)" },
                        milliseconds: Int((clock.now().uptime - begin) * 1000))
                    return statistics
                })
        }
    }

    public func sweep(_ answer: @escaping StoreAnswer<Swept>) {
        calendar.date { [weak self] result in
            guard let self else { return answer(.failure(.closed)) }
            switch result {
            case .failure(let failure): answer(.failure(failure))
            case .success(let date): sweep(at: date, answer)
            }
        }
    }

    /// Sweeps by that date: milliseconds since 1970.
    func sweep(at date: Int64, _ answer: @escaping StoreAnswer<Swept>) {
        shelves.sweep(at: date) { [weak self] result in
            if case .success(let swept) = result { self?.population -= swept.mailboxes }
            answer(result)
            // Other relays have made some, and swept some.
            self?.shelves.statistics { counted in
                if case .success(let counted) = counted { self?.population = counted.mailboxes }
            }
        }
    }

    public func close() async { engine.close() }
}
