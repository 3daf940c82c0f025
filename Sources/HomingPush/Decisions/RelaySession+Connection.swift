public import HomingBase
internal import HomingRelayProtocol

/// Connection of a session: from nothing to a connection, and back.
extension RelaySession {
    /// Connects or closes, as is wanted.
    mutating func follow(at now: Moment) -> [Effect] {
        switch (wish, phase) {
        case (.none, .idle): return []
        case (.none, _): return end(at: now)
        case (_, .idle):
            if now.uptime >= notBefore { return open(at: now) }
            phase = .waiting(until: notBefore)
            return []
        default: return isDrained ? [.looked] : []
        }
    }

    /// Connects at once if a connection is wanted, unless the relay asked for a pause or refuses us.
    mutating func startAfresh(at now: Moment) -> [Effect] {
        backoff.reset()
        notBefore = peaceUntil
        let effects = end(at: now)
        return effects + follow(at: now)
    }

    /// Connects at once if a connection is wanted, whatever the relay asked for.
    mutating func insist(at now: Moment) -> [Effect] {
        backoff.reset()
        (peaceUntil, notBefore) = (0, 0)
        guard case .waiting = phase else { return [] }
        phase = .idle
        return follow(at: now)
    }

    private mutating func open(at now: Moment) -> [Effect] {
        phase = .opening
        deadline = now.uptime + Self.patience
        (expected, underWay, isDrained, isRenewed) = (0, [], false, false)
        return [.open]
    }

    /// Closes what is open. A connection that was held until now has had all that waited.
    private mutating func end(at now: Moment) -> [Effect] {
        var effects: [Effect] = hasSocket ? [.close] : []
        if phase == .open, isDrained { effects.append(.looked) }
        phase = .idle
        deadline = nil
        return effects
    }

    /// The connection is gone; the next attempt comes at the pace of all attempts.
    ///
    /// - Parameter refusal: why the relay does not take the token, if it said so.
    mutating func lost(
        _ loss: PushSession.Loss, _ refusal: RelayRefusal? = nil, at now: Moment
    ) -> [Effect] {
        problem = loss.text
        failingSince = failingSince ?? now.uptime
        switch loss {
        case .unreachable:
            return pause(for: backoff.delay(after: .network, asked: 1, at: now), at: now)
        case .refused:
            return pause(for: backoff.delay(after: .refusal, asked: 1, at: now), at: now)
        case .unauthorized:
            isTokenRefused = true
            let delay = backoff.delay(after: .unauthorized, asked: 1, at: now)
            peaceUntil = now.uptime + delay
            return pause(for: delay, at: now) + [.refused(refusal)]
        }
    }

    /// Tries again later; a new wish does not make it sooner.
    mutating func pause(for seconds: Seconds, at now: Moment) -> [Effect] {
        deadline = nil
        notBefore = now.uptime + seconds
        phase = wish == .none ? .idle : .waiting(until: notBefore)
        return [.failed]
    }

    /// The relay does not do what it must: its socket is closed and counts as lost.
    mutating func giveUp(
        _ loss: PushSession.Loss, _ refusal: RelayRefusal? = nil, at now: Moment
    ) -> [Effect] {
        [.close] + lost(loss, refusal, at: now)
    }

    // MARK: Time

    /// The uptime at which something is to be done, if anything.
    public var nextWake: Seconds? {
        switch phase {
        case .idle: nil
        case .waiting(let time): time
        case .opening, .greeting, .proving: deadline
        case .open:
            min(
                deadline ?? lastHeard + Self.silence,
                expected > 0 ? lastMessageAt + Self.lull : .infinity)
        }
    }

    mutating func timePassed(at now: Moment) -> [Effect] {
        guard let wake = nextWake, now.uptime >= wake else { return [] }
        switch phase {
        case .idle: return []
        case .waiting: return open(at: now)
        case .opening, .greeting, .proving: return giveUp(.unreachable(silenceText), at: now)
        case .open: return timePassedOpen(at: now)
        }
    }

    private mutating func timePassedOpen(at now: Moment) -> [Effect] {
        if let deadline, now.uptime >= deadline {
            return giveUp(.unreachable(silenceText), at: now)
        }
        if expected > 0, now.uptime >= lastMessageAt + Self.lull {
            expected = 0
            return drained()
        }
        guard deadline == nil, now.uptime >= lastHeard + Self.silence else { return [] }
        deadline = now.uptime + Self.patience
        return [.ping]
    }

    private var silenceText: String { "the relay does not answer" }
}
