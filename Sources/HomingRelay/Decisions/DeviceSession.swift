internal import HomingBase
internal import HomingRelayProtocol

/// Decides the frames and store operations of a device's socket. Pure; times are uptimes.
///
/// A device proves its key, and learns how much waits. Messages go to it, `RelayFrame.window` at a
/// time, and stay in the store until the device has acknowledged each.
struct DeviceSession: Sendable {
    /// Seconds for the proof.
    static let proofTime: Seconds = 10
    /// Frames that a device may send in a second.
    static let framesPerSecond = 100
    /// Bytes of parcels under way: in Base64, less than `ServerLimits.backlog`.
    static let bytesUnderWay = 512 << 10
    /// Messages that the device has and the store cannot delete. Beyond them nothing more is sent.
    static let owedLimit = 256
    /// Revocations that a device may make on a socket: there are 65 536 generations.
    static let revocationLimit = 8

    private enum Phase {
        case greeting, opening, ready, ended
    }

    /// The progress of a message.
    private enum Stage {
        case sent
        /// Acknowledged by the device; the store is asked to delete it.
        case settling
        /// The store could not delete it.
        case unsettled
        /// The store is asked once more.
        case retrying

        /// Whether the device has it, and the store could not delete it so far.
        var isOwed: Bool { self == .unsettled || self == .retrying }
    }

    private var phase = Phase.greeting
    private var challenge: Challenge?
    private var generation: UInt16
    /// Whether the device's token was made with a key that is being replaced.
    private let isOld: Bool
    private let tokenGeneration: UInt16
    private var underWay: [MessageID: (stage: Stage, bytes: Int)] = [:]
    /// Whether more may wait than is under way.
    private var mayHaveMore = true
    private var isLoading = false
    private var isRaising = false
    private var revocations = 0
    private var isTelling = false
    /// Whether the load under way may have begun before the last notice was left, so that it counts what
    /// that notice tells.
    private var isLoadStale = false
    private var second: (start: Seconds, frames: Int) = (-.infinity, 0)

    /// - Parameter isOld: `TokenRing.isOld` of the device's token.
    init(_ token: PushToken, isOld: Bool, challenge: Challenge) {
        self.challenge = challenge
        self.isOld = isOld
        generation = token.generation
        tokenGeneration = token.generation
    }

    /// Whether the device has proved its key, so that messages may be sent.
    var isAttending: Bool { phase == .ready }

    /// Messages that the device has and the store still holds, as on a full disk. They take none of
    /// the window: else the device would get no more than a window of what waits.
    private var owed: Int { underWay.values.count(where: { $0.stage.isOwed }) }

    /// Messages that were sent and that the device or the store is not done with.
    var messagesUnderWay: Int { underWay.count - owed }

    /// Decides about an event.
    mutating func handleDeviceEvent(_ event: Event, at now: Seconds) -> [Effect] {
        guard phase != .ended else { return [] }
        switch event {
        case .frame(let frame):
            return isTooFast(at: now) ? refuse(.tooFast) : handleDeviceFrame(frame)
        case .deadline: return phase == .greeting ? refuse(.tooSlow) : []
        case .opened(let result): return opened(result)
        case .loaded(let result): return loaded(result)
        case .acknowledged(let ids, let isDone): return acknowledged(ids, isDone)
        case .raised(let result): return raised(result)
        case .told:
            isTelling = false
            isLoadStale = isLoading
            return []
        case .wake:
            mayHaveMore = true
            return load()
        case .look: return look()
        case .blocked: return refuse(.blocked)
        case .farewell(let seconds, let why): return leave(seconds, why)
        case .gone:
            phase = .ended
            return []
        }
    }

    private mutating func isTooFast(at now: Seconds) -> Bool {
        if now - second.start >= 1 { second = (now, 0) }
        second.frames += 1
        return second.frames > Self.framesPerSecond
    }

    private mutating func refuse(_ refusal: RelayRefusal) -> [Effect] {
        phase = .ended
        return [.send(.refused(refusal)), .close(1008)]
    }

    private mutating func leave(_ seconds: Int, _ why: String) -> [Effect] {
        phase = .ended
        return [.send(.bye(seconds: seconds, why: why)), .close(1001)]
    }

    private mutating func leave(after failure: StoreFailure) -> [Effect] {
        leave(failure.refusal.retryAfter ?? 30, failure.refusal.description)
    }
}

/// Frames of the device.
extension DeviceSession {
    private mutating func handleDeviceFrame(_ frame: RelayFrame?) -> [Effect] {
        switch (frame, phase) {
        case (.unknown, _): return []
        case (.proof(let proof), .greeting):
            guard challenge?.isProven(by: proof) == true else { return refuse(.wrongProof) }
            challenge = nil
            phase = .opening
            return [.open(generation: generation)]
        case (.acknowledge(let ids), .ready):
            // An id that was not sent on this socket is ignored.
            var known: [MessageID] = []
            for id in ids where underWay[id]?.stage == .sent {
                underWay[id]?.stage = .settling
                known.append(id)
            }
            return known.isEmpty ? [] : [.acknowledge(known)]
        case (.revoke, .ready):
            guard !isRaising else { return [] }
            revocations += 1
            guard revocations <= Self.revocationLimit else { return refuse(.tooFast) }
            isRaising = true
            return [.raise(above: generation)]
        default: return refuse(.wrongFrame)
        }
    }
}

/// Answers of the store.
extension DeviceSession {
    private mutating func opened(_ result: Result<MailboxView, StoreFailure>) -> [Effect] {
        switch result {
        case .failure(let failure): return leave(after: failure)
        case .success(.blocked): return refuse(.blocked)
        case .success(.open(let mailbox)):
            let isFirst = phase == .opening
            phase = .ready
            generation = mailbox.generation
            let ready = Effect.ready(mailbox, renews: isOld || generation != tokenGeneration)
            return isFirst ? [ready, .attend] + load() : [ready]
        }
    }

    private mutating func raised(_ result: Result<UInt16, StoreFailure>) -> [Effect] {
        isRaising = false
        switch result {
        case .failure(let failure): return leave(after: failure)
        case .success(let generation):
            self.generation = generation
            return [.open(generation: generation)]
        }
    }

    private mutating func load() -> [Effect] {
        let room = min(RelayFrame.window - messagesUnderWay, Self.owedLimit - owed)
        let bytes = underWay.values.reduce(Self.bytesUnderWay) { $0 - $1.bytes }
        guard phase == .ready, mayHaveMore, !isLoading, room > 0, bytes > 0 else { return [] }
        isLoading = true
        mayHaveMore = false
        return [.load(except: Set(underWay.keys), limit: room, bytes: bytes)]
    }

    private mutating func loaded(_ result: Result<LoadedMessages, StoreFailure>) -> [Effect] {
        defer { isLoadStale = false }
        isLoading = false
        guard case .success(let loaded) = result else {
            // The next look tries again.
            mayHaveMore = true
            return []
        }
        var effects: [Effect] = []
        for message in loaded.messages where underWay[message.id] == nil {
            underWay[message.id] = (.sent, message.parcel.count)
            effects.append(.deliver(message))
        }
        if loaded.isMoreLeft { mayHaveMore = true }
        if loaded.unreported > 0, isLoadStale {
            mayHaveMore = true
        } else if loaded.unreported > 0, !isTelling {
            isTelling = true
            effects.append(.tellDropped(loaded.unreported + loaded.reported))
        }
        return effects + load()
    }

    private mutating func acknowledged(_ ids: [MessageID], _ isDone: Bool) -> [Effect] {
        for id in ids {
            guard let stage = underWay[id]?.stage, stage == .settling || stage == .retrying else {
                continue
            }
            underWay[id] = isDone ? nil : (.unsettled, 0)
        }
        // A store that deletes again gets the next of them at once.
        return (isDone ? retry() : []) + load()
    }

    private mutating func look() -> [Effect] {
        phase == .ready ? retry() + load() : []
    }

    /// Asks once more for what the store could not delete.
    private mutating func retry() -> [Effect] {
        let ids = underWay.filter { $0.value.stage == .unsettled }.keys.sorted()
            .prefix(RelayFrame.window)
        for id in ids { underWay[id]?.stage = .retrying }
        return ids.isEmpty ? [] : [.acknowledge(Array(ids))]
    }
}
