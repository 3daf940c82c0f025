internal import HomingBase
internal import HomingRelayProtocol

/// The frames of an open connection.
extension RelaySession {
    mutating func received(_ frame: RelayFrame?, at now: Moment) -> [Effect] {
        guard let frame else {
            return giveUp(.refused("the relay sent a message that is not a frame"), at: now)
        }
        switch (frame, phase) {
        case (.hello(let version, let time, let challenge), .greeting):
            return greeted(version, time, challenge, at: now)
        case (.ready(let waiting, let count, let renewal), .proving),
            (.ready(let waiting, let count, let renewal), .open):
            return ready(waiting, count, renewal, at: now)
        case (.message(let id, let time, let parcel), .open):
            return message(id, time, parcel, at: now)
        case (.bye(let seconds, let why), _):
            problem = why.isEmpty ? "the relay is being restarted" : "the relay says: \(why)"
            let delay = max(1, Seconds(seconds))
            peaceUntil = now.uptime + delay
            return [.close] + pause(for: delay, at: now)
        case (.refused(let refusal), _): return refused(refusal, at: now)
        case (.unknown, _): return []
        default: return giveUp(.refused("the relay sent \(frame) out of turn"), at: now)
        }
    }

    private mutating func greeted(
        _ version: Int, _ time: Int64, _ challenge: [UInt8], at now: Moment
    ) -> [Effect] {
        guard version == RelayFrame.version else {
            let text =
                "the relay speaks version \(version) of the protocol, this is \(RelayFrame.version)"
            return giveUp(.refused(text), at: now)
        }
        note(time, at: now)
        return [.prove(challenge: challenge)]
    }

    private mutating func note(_ time: Int64, at now: Moment) {
        clockOffset = Seconds(time) / 1000 - now.unixTime
        relayTime = (time, now.uptime)
    }

    mutating func prove(_ proof: [UInt8]?, at now: Moment) -> [Effect] {
        guard phase == .greeting else { return [] }
        guard let proof else {
            let text = "the relay is another one than was joined, or has lost its keys"
            return giveUp(.unauthorized(text), at: now)
        }
        phase = .proving
        deadline = now.uptime + Self.patience
        return [.send(.proof(proof))]
    }

    private mutating func ready(
        _ waiting: Int, _ count: DayCount, _ renewal: [UInt8]?, at now: Moment
    ) -> [Effect] {
        self.count = count
        countedAt = now.uptime
        var effects = renew(renewal)
        // In an open connection it answers a revocation.
        if phase == .open {
            if isRevoking { effects.append(.revoked) }
            isRevoking = false
            return effects
        }
        phase = .open
        deadline = nil
        openSince = now.uptime
        lastMessageAt = now.uptime
        lastReached = now.unixTime
        expected = waiting
        works()
        if isRevoking { effects.append(.send(.revoke)) }
        return effects + drained()
    }

    /// Takes one token from each connection, and another token after a revocation. A token costs a write
    /// and a message to Home Assistant.
    private mutating func renew(_ sealed: [UInt8]?) -> [Effect] {
        guard let sealed, !isRenewed || isRevoking else { return [] }
        isRenewed = true
        return [.renew(sealed)]
    }

    private mutating func works() {
        backoff.reset()
        problem = nil
        failingSince = nil
        isTokenRefused = false
    }

    private mutating func message(
        _ id: MessageID, _ time: Int64, _ parcel: [UInt8], at now: Moment
    ) -> [Effect] {
        note(time, at: now)
        guard underWay.count < 2 * RelayFrame.window else {
            return giveUp(.refused("the relay does not wait for acknowledgements"), at: now)
        }
        lastMessageAt = now.uptime
        expected = max(0, expected - 1)
        guard underWay.insert(id).inserted else { return [] }
        return [.take(id, now: time, parcel: parcel)]
    }

    mutating func taken(_ ids: [MessageID], at now: Moment) -> [Effect] {
        let known = ids.filter { underWay.remove($0) != nil }
        guard phase == .open, !known.isEmpty else { return [] }
        let frames = stride(from: 0, to: known.count, by: RelayFrame.window).map { start in
            let end = min(start + RelayFrame.window, known.count)
            return Effect.send(.acknowledge(Array(known[start..<end])))
        }
        return frames + drained()
    }

    /// Whether what waited has come is told once for each connection.
    mutating func drained() -> [Effect] {
        guard !isDrained, expected == 0, underWay.isEmpty else { return [] }
        isDrained = true
        return [.looked]
    }

    private mutating func refused(_ refusal: RelayRefusal, at now: Moment) -> [Effect] {
        let text = "the relay says: \(refusal)"
        switch refusal {
        case .noToken, .badToken, .revoked, .blocked, .wrongProof:
            return giveUp(.unauthorized(text), refusal, at: now)
        case .tooFast, .tooManyBadTokens, .tooManySockets, .overloaded, .storeFailed, .ending,
            .failed:
            return giveUp(.unreachable(text), at: now)
        default: return giveUp(.refused(text), at: now)
        }
    }
}
