internal import HomingBase
internal import HomingHTTP
internal import HomingRuntime

/// Something on a channel that is followed.
public enum EngineChannelEvent: Sendable {
    /// The channel is followed from now on. Earlier messages may have been missed.
    case followed([UInt8])
    case message([UInt8], on: [UInt8])
}

/// The channels that are followed, each on the node that has its slot.
///
/// One connection for each node serves all its channels. When a connection breaks or a slot moves,
/// its channels are followed again, and `followed` is told again.
@LoopActor final class EngineChannels {
    /// Seconds between two pings of a node.
    private static let interval: Seconds = 10

    private let login: EngineLogin
    private let client: HTTPClient
    private let clock: any Clockwork
    private let isLost: @LoopActor () -> Void
    private let told: @LoopActor (EngineChannelEvent) -> Void
    private var map: SlotMap?
    private var lanes: [EngineAddress: EngineLane] = [:]
    /// Node on which each channel is followed; `nil` before the slots are known.
    private var places: [[UInt8]: EngineAddress?] = [:]
    /// Channels whose following a node has not answered yet, in the order of the questions.
    private var asked: [EngineAddress: [[UInt8]]] = [:]
    private var unheard: Set<EngineAddress> = []
    private var timer: (any Alarm)?

    init(
        _ login: EngineLogin, _ client: HTTPClient, _ clock: any Clockwork,
        isLost: @escaping @LoopActor () -> Void,
        told: @escaping @LoopActor (EngineChannelEvent) -> Void
    ) {
        self.login = login
        self.client = client
        self.clock = clock
        self.isLost = isLost
        self.told = told
    }

    func follow(_ channel: [UInt8], _ map: SlotMap?) {
        guard places[channel] == nil else { return }
        places[channel] = .some(nil)
        self.map = map ?? self.map
        place(channel)
        guard timer == nil else { return }
        timer = clock.timer(Self.interval) { [weak self] in self?.look() ?? .done }
    }

    func unfollow(_ channel: [UInt8]) {
        guard let place = places.removeValue(forKey: channel) else { return }
        if let place { lanes[place]?.sendUnanswered(Self.command("SUNSUBSCRIBE", channel)) }
        if places.isEmpty { timer = nil }
    }

    /// Moves the channels to the nodes of a new map.
    func distribute(by map: SlotMap) {
        self.map = map
        for channel in places.keys { place(channel) }
        let used = Set(places.values.compactMap { $0 })
        for (node, lane) in lanes where !used.contains(node) {
            lane.close(Self.closed)
            (lanes[node], asked[node]) = (nil, nil)
        }
    }

    private static let closed = EngineFailure(.closed, "the channel is closed")

    private static func command(_ name: String, _ channel: [UInt8]) -> Command {
        Command([Array(name.utf8), channel])
    }

    private func place(_ channel: [UInt8]) {
        let node = map?.node(of: SlotMap.slot(of: channel))
        guard let before = places[channel], before != node else { return }
        if let before { lanes[before]?.sendUnanswered(Self.command("SUNSUBSCRIBE", channel)) }
        places[channel] = .some(node)
        guard let node else { return }
        // A lane that is not ready follows its channels when it is ready.
        let lane = lane(node)
        if lane.isReady { sendSubscription(for: channel, node, lane) }
    }

    private func sendSubscription(for channel: [UInt8], _ node: EngineAddress, _ lane: EngineLane) {
        asked[node, default: []].append(channel)
        lane.sendUnanswered(Self.command("SSUBSCRIBE", channel))
    }

    private func lane(_ node: EngineAddress) -> EngineLane {
        if let lane = lanes[node] { return lane }
        let lane = EngineLane(node, login, client, isSubscription: true, clock) { [weak self] in
            self?.heard($0, from: node)
        }
        lanes[node] = lane
        return lane
    }

    private func heard(_ event: EngineLane.Event, from node: EngineAddress) {
        switch event {
        case .ready:
            unheard.remove(node)
            asked[node] = nil
            guard let lane = lanes[node] else { return }
            for (channel, place) in places where place == node {
                sendSubscription(for: channel, node, lane)
            }
        case .failed: isLost()
        case .told(let reply): handleChannelReply(reply, from: node)
        }
    }

    private func handleChannelReply(_ reply: Reply, from node: EngineAddress) {
        unheard.remove(node)
        if case .error = reply { return refused(by: node) }
        guard let parts = reply.array, parts.count >= 2, let channel = parts[1].bytes else {
            return
        }
        switch parts[0].string {
        case "ssubscribe":
            if asked[node]?.first == channel { asked[node]?.removeFirst() }
            if places[channel] != nil { told(.followed(channel)) }
        case "smessage":
            if parts.count == 3, places[channel] != nil, let text = parts[2].bytes {
                told(.message(text, on: channel))
            }
        case "sunsubscribe":
            guard places[channel] == .some(node) else { return }
            places[channel] = .some(nil)
            isLost()
        default: break
        }
    }

    /// A node does not let a channel be followed: its slot has moved, or the cluster is down. The channel
    /// is placed again when the slots are known. Answers come in the order of the questions, so it is the
    /// first one.
    private func refused(by node: EngineAddress) {
        guard asked[node]?.isEmpty == false, let channel = asked[node]?.removeFirst() else {
            return
        }
        if places[channel] == .some(node) { places[channel] = .some(nil) }
        isLost()
    }

    /// Pings each node. Reconnects to a node that did not answer the last ping.
    private func look() -> Watch.Next {
        for (node, lane) in lanes where lane.isReady {
            if unheard.contains(node) {
                lane.reconnect("\(node) does not answer")
            } else {
                unheard.insert(node)
                lane.sendUnanswered(Command("PING"))
            }
        }
        return .again
    }

    func close() {
        timer = nil
        for lane in lanes.values { lane.close(Self.closed) }
        lanes = [:]
    }
}
