internal import HomingBase

/// Connection of a session: from nothing to a socket, and back.
extension PushSession {
    mutating func changeEndpoints(
        _ endpoints: [ChannelEndpoint], networkChanged: Bool, at now: Moment
    ) -> [Effect] {
        let isKept = endpoint.map { endpoints.contains($0) } ?? false
        let before = self.endpoints
        self.endpoints = endpoints
        if networkChanged || (hasSocket && !isKept) { return startAfresh(at: now) }
        if hasSocket { return [] }
        // Waiting goes on unless there is something new to try.
        return Set(endpoints).isSubset(of: before) && !endpoints.isEmpty && phase != .idle
            ? [] : startAfresh(at: now)
    }

    /// Closes what is open and walks all endpoints from the first, whatever the backoff says.
    mutating func startAfresh(at now: Moment) -> [Effect] {
        let effects = end()
        guard !endpoints.isEmpty, !isAsleep, !isStopped else { return effects }
        backoff.reset()
        problem = nil
        return effects + walk(at: now)
    }

    /// Tries to connect at once, as the reason for the wait may be over. If the try fails, the pace
    /// goes on as before. A server that refuses our token or our host lets us in no sooner, and
    /// counts the try.
    mutating func becameReachable(at now: Moment) -> [Effect] {
        switch phase {
        case .waiting where cause != .unauthorized:
            return walk(at: now)
        case .opening, .authenticating, .subscribing:
            // The socket may be one of those that were dead before.
            walksAgain = true
            return subscribeSooner(at: now)
        default:
            return []
        }
    }

    private mutating func subscribeSooner(at now: Moment) -> [Effect] {
        guard case .subscribing(let retryAt?) = phase else { return [] }
        let earliest = max(now.uptime, subscribedAt + Self.subscribeSpacing)
        phase = .subscribing(retryAt: min(retryAt, earliest))
        return timePassed(at: now)
    }

    /// Closes what is open and wants nothing more.
    mutating func end() -> [Effect] {
        let effects: [Effect] = hasSocket ? [.close] : []
        phase = .idle
        deadline = nil
        walksAgain = false
        return effects
    }

    /// Begins with the first endpoint again.
    private mutating func walk(at now: Moment) -> [Effect] {
        untried = endpoints
        cause = .network
        return tryNext(at: now)
    }

    private mutating func tryNext(at now: Moment) -> [Effect] {
        guard !untried.isEmpty else { return wait(at: now) }
        let next = untried.removeFirst()
        endpoint = next
        phase = .opening
        deadline = (.answer, now.uptime + Self.patience)
        lastID = 0
        subscription = nil
        confirmations = [:]
        hasConfirmed = false
        return [.open(next)]
    }

    private mutating func wait(at now: Moment) -> [Effect] {
        let again = walksAgain && cause != .unauthorized
        walksAgain = false
        if again { return walk(at: now) }
        let delay = backoff.delay(after: cause, asked: endpoints.count, at: now)
        phase = .waiting(until: now.uptime + delay)
        return []
    }

    mutating func hasOpened(at now: Moment) -> [Effect] {
        guard phase == .opening else { return [] }
        phase = .authenticating
        lastHeard = now.uptime
        deadline = (.answer, now.uptime + Self.patience)
        return []
    }

    /// The socket is gone. After a good channel all endpoints are new again; else the next is tried.
    mutating func lost(_ loss: Loss, at now: Moment) -> [Effect] {
        problem = loss.text
        let wasGood =
            phase == .open && (hasConfirmed || now.uptime - openSince >= Self.proof)
        phase = .idle
        deadline = nil
        if wasGood {
            backoff.reset()
            untried = []
            cause = .network
            return wait(at: now)
        }
        switch loss {
        case .unreachable: break
        case .refused: if cause != .unauthorized { cause = .refusal }
        case .unauthorized: cause = .unauthorized
        }
        return tryNext(at: now)
    }

    /// The server does not do what it must: its socket is closed and counts as lost.
    mutating func giveUp(_ loss: Loss, at now: Moment) -> [Effect] {
        let effects: [Effect] = hasSocket ? [.close] : []
        return effects + lost(loss, at: now)
    }

    /// Home Assistant refuses the token. The other endpoint leads to the same Home Assistant, so none is
    /// tried; after the third time nothing is until there is another token.
    mutating func tokenRefused(at now: Moment) -> [Effect] {
        let effects = end()
        refusals += 1
        untried = []
        cause = .unauthorized
        problem =
            isStopped
            ? "Home Assistant refused the token \(refusals) times: nothing more is tried"
            : "Home Assistant refuses the token"
        return isStopped ? effects : effects + wait(at: now)
    }

    // MARK: Time

    /// The uptime at which something is to be done, if anything.
    var nextWake: Seconds? {
        switch phase {
        case .idle: nil
        case .waiting(let time): time
        case .opening, .authenticating: deadline?.at
        case .subscribing(let retryAt):
            min(retryAt ?? .infinity, deadline?.at ?? lastHeard + Self.silence)
        case .open:
            min(
                subscribedAt + Self.resubscribeInterval,
                deadline?.at ?? lastHeard + Self.silence)
        }
    }

    mutating func timePassed(at now: Moment) -> [Effect] {
        guard let wake = nextWake, now.uptime >= wake else { return [] }
        switch phase {
        case .idle: return []
        case .waiting: return walk(at: now)
        case .opening, .authenticating: return giveUp(.unreachable(silenceText), at: now)
        case .subscribing, .open: return timePassedSignedIn(at: now)
        }
    }

    private mutating func timePassedSignedIn(at now: Moment) -> [Effect] {
        if let deadline, now.uptime >= deadline.at {
            if deadline.what == .answer || lastHeard < deadline.at - Self.patience {
                return giveUp(.unreachable(silenceText), at: now)
            }
            self.deadline = nil
        }
        if case .subscribing(let retryAt?) = phase, now.uptime >= retryAt {
            return subscribe(at: now)
        }
        if phase == .open, now.uptime >= subscribedAt + Self.resubscribeInterval {
            return subscribe(at: now)
        }
        if deadline == nil, now.uptime >= lastHeard + Self.silence {
            deadline = (.pong, now.uptime + Self.patience)
            return [.send(.ping(id: nextID()))]
        }
        return []
    }

    private var silenceText: String { "the channel got no answer" }
}
