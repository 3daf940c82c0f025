internal import HomeAssistantAPI
internal import HomingBase

/// Conversation over an open socket.
extension PushSession {
    mutating func received(_ message: WebSocketMessage, at now: Moment) -> [Effect] {
        switch message {
        case .authRequired:
            guard phase == .authenticating else { return [] }
            deadline = (.answer, now.uptime + Self.patience)
            return [.send(.authenticate)]
        case .authOK(let version):
            guard phase == .authenticating else { return [] }
            serverVersion = version.bounded(Bound.version)
            refusals = 0
            phase = .subscribing(retryAt: nil)
            return subscribe(at: now)
        case .authInvalid:
            return phase == .authenticating ? tokenRefused(at: now) : []
        case .done(let id, _):
            return done(id, at: now)
        case .refused(let id, let code, _):
            return refused(id, code, at: now)
        case .pong:
            if deadline?.what == .pong { deadline = nil }
            return []
        case .notification(let subscription, let payload):
            return deliver(payload, by: subscription, at: now)
        case .other:
            return []
        }
    }

    /// Subscribes, in place of the subscription before if there is one: Home Assistant replaces a
    /// channel without a gap.
    mutating func subscribe(at now: Moment) -> [Effect] {
        if case .subscribing = phase { phase = .subscribing(retryAt: nil) }
        let id = nextID()
        subscription = id
        subscribedAt = now.uptime
        deadline = (.answer, now.uptime + Self.patience)
        return [.send(.subscribe(id: id))]
    }

    private mutating func done(_ id: Int, at now: Moment) -> [Effect] {
        if let confirmed = confirmations.removeValue(forKey: id) {
            noteConfirmed(confirmed.message, true)
            lastConfirmed = now.unixTime
            hasConfirmed = true
        } else if id == subscription {
            deadline = nil
            subscribeBackoff.reset()
            problem = nil
            if phase != .open || isChannelGone { openings += 1 }
            isChannelGone = false
            if phase != .open { openSince = now.uptime }
            phase = .open
            walksAgain = false
        }
        return []
    }

    private mutating func refused(_ id: Int, _ code: String, at now: Moment) -> [Effect] {
        if let channel = confirmations.removeValue(forKey: id)?.channel {
            // One that an older channel brought says nothing of the present one.
            let isGone = code == "not_found" && channel == subscription && phase == .open
            return isGone ? channelGone(at: now) : []
        }
        guard id == subscription else { return [] }
        deadline = nil
        let isOurs = code == "not_found" || code == "unknown_command"
        problem =
            isOurs
            ? "Home Assistant does not know this registration yet, or no more"
            : "Home Assistant refuses to subscribe (\(code.bounded(Bound.word))): is the token of the user who registered?"
        let delay = subscribeBackoff.delay(
            after: isOurs ? .refusal : .unauthorized, asked: 1, at: now)
        phase = .subscribing(retryAt: now.uptime + delay)
        return []
    }

    /// Home Assistant closed the channel and said nothing.
    private mutating func channelGone(at now: Moment) -> [Effect] {
        isChannelGone = true
        let earliest = subscribedAt + Self.subscribeSpacing
        if now.uptime >= earliest { return subscribe(at: now) }
        phase = .subscribing(retryAt: earliest)
        return []
    }

    /// Confirms it first, as Home Assistant waits 10 s only; what is new is then shown.
    private mutating func deliver(
        _ payload: NotificationPayload, by channel: Int, at now: Moment
    ) -> [Effect] {
        guard subscription != nil, channel <= lastID, phase != .authenticating else { return [] }
        var effects: [Effect] = []
        if let confirmID = payload.confirmID {
            if confirmations.count >= Self.confirmationLimit { confirmations = [:] }
            let id = nextID()
            confirmations[id] = (channel, confirmID)
            noteConfirmed(confirmID, false)
            effects.append(.send(.confirm(id: id, confirmID: confirmID)))
        }
        return effects + accept(payload, from: .direct, at: now)
    }
}
