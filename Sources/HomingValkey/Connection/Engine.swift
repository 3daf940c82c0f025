public import HomingBase
public import HomingHTTP
public import HomingRuntime

/// A Valkey or a Redis, or a cluster of them: commands go to the node that has their slot.
///
/// Learns the slots at the start, and again when a slot has moved or a node is gone. Retries a
/// command for `patience` if it was not sent, or if a node asks for that. Never retries a command
/// that was sent and lost: the node may have executed it.
@LoopActor public final class Engine {
    /// Seconds for which a command is retried.
    public nonisolated static let patience: Seconds = 2
    private nonisolated static let pause: Seconds = 0.2
    /// Redirections that a command may follow.
    private nonisolated static let hops = 5

    /// A command under way.
    private struct PendingCommand {
        let command: Command
        let slot: Int
        let began: Seconds
        var hops = 0
        let answer: EngineAnswer
    }

    /// A node and one of its two lanes. A lasting command delays the commands behind it.
    private struct NodeLane: Hashable {
        let address: EngineAddress
        let isLasting: Bool
    }

    private let seeds: [EngineAddress]
    private let login: EngineLogin
    private let client: HTTPClient
    private let clock: any Clockwork
    private var lanes: [NodeLane: EngineLane] = [:]
    private var channels: EngineChannels?
    private var map: SlotMap?
    private var guests = GuestNodes()
    private var guestReview: (any Alarm)?
    private var waiting: [PendingCommand] = []
    private var isLearning = false
    private var learning: (any Alarm)?
    private var turn = 0
    private var isClosed = false
    /// Commands that are tried again soon.
    private var retries: [Int: (alarm: any Alarm, pending: PendingCommand)] = [:]
    private var lastRetry = 0
    private var expiry: (any Alarm)?
    /// The last failure of a node, for people; `nil` when all have answered since.
    public private(set) var failure: String?

    /// - Parameters:
    ///   - seeds: nodes that are asked for the others; at least a single node.
    ///   - told: gets the events of the channels that are followed.
    public init(
        _ seeds: [EngineAddress], _ login: EngineLogin, over client: HTTPClient,
        clock: any Clockwork, told: @escaping @LoopActor (EngineChannelEvent) -> Void
    ) {
        self.seeds = seeds
        self.login = login
        self.client = client
        self.clock = clock
        channels = EngineChannels(
            login, client, clock, isLost: { [weak self] in self?.learnSoon() }, told: told)
        learn()
    }

    /// The nodes that have slots.
    public var nodes: [EngineAddress] { map?.nodes ?? [] }

    /// Whether slots are known, and each has a node.
    public var isComplete: Bool { map?.isComplete == true }

    /// Sends a command to the node that has the key.
    public func send(_ command: Command, key: [UInt8], _ answer: @escaping EngineAnswer) {
        start(
            PendingCommand(
                command: command, slot: SlotMap.slot(of: key), began: clock.now().uptime,
                answer: answer))
    }

    /// Sends a command to that node.
    public func send(_ command: Command, to node: EngineAddress, _ answer: @escaping EngineAnswer) {
        guard !isClosed else {
            return answer(.failure(EngineFailure(.closed, "the engine's client is closed")))
        }
        lane(node, isLasting: command.isLasting).send(command, answer)
    }

    /// Follows a channel on the node that has its slot.
    public func follow(_ channel: [UInt8]) { channels?.follow(channel, map) }

    /// Ends the following of a channel.
    public func unfollow(_ channel: [UInt8]) { channels?.unfollow(channel) }

    /// Closes all connections. Commands that wait fail.
    public func close() {
        isClosed = true
        (learning, expiry, guestReview) = (nil, nil, nil)
        channels?.close()
        let closed = EngineFailure(.closed, "the engine's client is closed")
        for lane in lanes.values { lane.close(closed) }
        let all = waiting + retries.values.map(\.pending)
        (waiting, retries) = ([], [:])
        for pending in all { pending.answer(.failure(closed)) }
    }
}

/// Commands.
extension Engine {
    private func start(_ pending: PendingCommand) {
        guard !isClosed else {
            return pending.answer(.failure(EngineFailure(.closed, "the engine's client is closed")))
        }
        guard let map else {
            waiting.append(pending)
            if waiting.count == 1 { expireLater() }
            return
        }
        guard let node = map.node(of: pending.slot) else {
            return retry(pending, "no node of the cluster has slot \(pending.slot)")
        }
        run(pending, at: node)
    }

    private func run(_ pending: PendingCommand, at node: EngineAddress) {
        lane(node, isLasting: pending.command.isLasting).send(pending.command) { [weak self] in
            self?.handleCommandResult($0, of: pending, from: node)
        }
    }

    private func handleCommandResult(
        _ result: Result<Reply, EngineFailure>, of pending: PendingCommand, from node: EngineAddress
    ) {
        switch result {
        case .success(.error(let words)):
            guard let redirection = Redirection(words, from: node), pending.hops < Self.hops else {
                return pending.answer(result)
            }
            follow(redirection, pending, from: node, words)
        case .success:
            failure = nil
            pending.answer(result)
        case .failure(let failure):
            self.failure = failure.description
            guard failure.kind == .unreachable else {
                learnSoon()
                return pending.answer(result)
            }
            retry(pending, failure.description)
        }
    }

    private func follow(
        _ redirection: Redirection, _ pending: PendingCommand, from node: EngineAddress,
        _ words: String
    ) {
        var pending = pending
        pending.hops += 1
        switch redirection {
        case .moved(let other):
            learnSoon()
            guard mayFollow(other) else { return stay(pending, node) }
            run(pending, at: other)
        case .ask(let other):
            guard mayFollow(other) else { return stay(pending, node) }
            // The two go out side by side: nothing comes between them on a lane.
            lane(other, isLasting: pending.command.isLasting).send(Command("ASKING")) { _ in }
            run(pending, at: other)
        case .later:
            pending.hops -= 1
            retry(pending, words)
        case .noScript:
            let name = pending.command.words.dropFirst().first.map {
                String(decoding: $0, as: UTF8.self)
            }
            guard let script = login.scripts.first(where: { $0.name == name }) else {
                return pending.answer(.success(.error(words)))
            }
            lane(node, isLasting: pending.command.isLasting).send(script.loading) { _ in }
            run(pending, at: node)
        }
    }

    /// A redirection was not followed: it counts as none.
    private func stay(_ pending: PendingCommand, _ node: EngineAddress) {
        var pending = pending
        pending.hops -= 1
        retry(pending, "\(node) names too many nodes")
    }

    private func retry(_ pending: PendingCommand, _ reason: String) {
        failure = reason
        learnSoon()
        guard clock.now().uptime - pending.began + Self.pause < Self.patience else {
            return pending.answer(.failure(EngineFailure(.unreachable, reason)))
        }
        lastRetry += 1
        let number = lastRetry
        let alarm = clock.once(after: Self.pause) { [weak self] in
            self?.retries[number] = nil
            self?.start(pending)
        }
        retries[number] = (alarm, pending)
    }

    private func expireLater() {
        expiry = clock.once(after: Self.patience) { [weak self] in
            guard let self else { return }
            expiry = nil
            let late = clock.now().uptime - Self.patience
            let old = waiting.filter { $0.began <= late }
            waiting.removeAll { $0.began <= late }
            if !waiting.isEmpty { expireLater() }
            let reason = failure ?? "the engine does not answer"
            for pending in old { pending.answer(.failure(EngineFailure(.unreachable, reason))) }
        }
    }

    private func lane(_ node: EngineAddress, isLasting: Bool) -> EngineLane {
        let key = NodeLane(address: node, isLasting: isLasting)
        if let lane = lanes[key] { return lane }
        let lane = EngineLane(node, login, client, clock) { [weak self] event in
            guard case .failed(let reason) = event else { return }
            self?.failure = reason
            self?.learnSoon()
        }
        lanes[key] = lane
        return lane
    }
}

/// The slots.
extension Engine {
    private func learnSoon() {
        guard learning == nil, !isLearning, !isClosed else { return }
        learning = clock.once(after: Self.pause) { [weak self] in
            self?.learning = nil
            self?.learn()
        }
    }

    private func learn() {
        isLearning = true
        // Takes the next node, without those that fail if another works.
        let all = (map?.nodes ?? []) + seeds
        let good = all.filter { lanes[NodeLane(address: $0, isLasting: false)]?.failure == nil }
        let some = good.isEmpty ? all : good
        turn += 1
        let node = some[turn % some.count]
        lane(node, isLasting: false).send(Command("CLUSTER", "SLOTS")) { [weak self] in
            self?.learned($0, from: node)
        }
    }

    private func learned(_ result: Result<Reply, EngineFailure>, from node: EngineAddress) {
        isLearning = false
        switch result {
        case .failure(let failure):
            self.failure = failure.description
            learnSoon()
        case .success(.error(let words)) where words.holds("cluster support disabled"):
            // Nodes without a cluster know nothing of each other: each would get a part of the keys.
            guard Set(seeds).count == 1 else {
                failure = "\(node) is no node of a cluster, and several nodes are named"
                return learnSoon()
            }
            set(SlotMap(single: node))
        case .success(let reply):
            guard let map = SlotMap(reply, from: node), !map.nodes.isEmpty else {
                failure = "\(node) reports no slots"
                return learnSoon()
            }
            set(map)
        }
    }

    /// Whether a redirection to that node may be followed.
    private func mayFollow(_ node: EngineAddress) -> Bool {
        guard !hasSlots(node) else { return true }
        guard guests.admits(node, at: clock.now().uptime) else { return false }
        reviewGuestsLater()
        return true
    }

    private func hasSlots(_ node: EngineAddress) -> Bool {
        map?.has(node) == true || seeds.contains(node)
    }

    private func reviewGuestsLater() {
        guard guestReview == nil, !guests.all.isEmpty else { return }
        guestReview = clock.once(after: GuestNodes.stay) { [weak self] in
            guard let self else { return }
            guestReview = nil
            closeStrangers()
            reviewGuestsLater()
        }
    }

    /// Closes the lanes to nodes that have no slot, and are no guests any more.
    private func closeStrangers() {
        guests.review(known: (map?.nodes ?? []) + seeds, at: clock.now().uptime)
        for (key, lane) in lanes
        where !hasSlots(key.address) && !guests.all.contains(key.address) {
            lanes[key] = nil
            lane.close(EngineFailure(.lost, "\(key.address) has left the cluster"))
        }
    }

    private func set(_ new: SlotMap) {
        let isOther = new != map
        map = new
        if isOther { closeStrangers() }
        channels?.distribute(by: new)
        let all = waiting
        waiting = []
        for pending in all { start(pending) }
    }
}
