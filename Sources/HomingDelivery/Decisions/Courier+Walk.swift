public import HomingBase
public import HomingRoutes

/// The walk along the endpoints.
extension Courier {
    /// The endpoints may have changed, or the network under them.
    mutating func routeChanged(
        _ endpoints: [Endpoint], networkChanged: Bool, _ now: Moment
    ) -> [Effect] {
        let kept = Set(endpoints).intersection(self.endpoints)
        keepProblems(of: kept)
        self.endpoints = endpoints
        if networkChanged {
            for kind in health.keys { health[kind]?.networkChanged() }
            backoff.reset()
        }
        let lostEndpoint = session.map { !endpoints.contains($0.endpoint) } ?? false
        guard networkChanged || lostEndpoint else {
            if kept.count < Set(endpoints).count { endRest(now) }
            return proceed(now)
        }
        storeFailedAt = nil
        trackerDue = nil
        let effects: [Effect] = isAtWork ? [.cancel] : []
        dropSession()
        phase = .idle
        dirty = true
        sendSoon(now)
        return effects + proceed(now)
    }

    /// Keeps only the problems of these endpoints. Problems of an endpoint that is no longer on the
    /// route are no trouble of this route.
    private mutating func keepProblems(of endpoints: Set<Endpoint>) {
        guard let trouble else { return }
        let kinds = Set(endpoints.map(\.kind))
        self.trouble?.problems = trouble.problems.filter { kinds.contains($0.key) }
    }

    /// Home Assistant was reached by others: nothing speaks for resting any longer.
    mutating func reachable(_ now: Moment) -> [Effect] {
        hintAtChange(after: Self.hintedInterval.other, now)
        guard endRest(now) else { return [] }
        return proceed(now)
    }

    /// Ends a rest after a failed attempt: something else can be tried now. Returns whether there was such a
    /// rest.
    @discardableResult
    private mutating func endRest(_ now: Moment) -> Bool {
        guard case .resting = phase, storeFailedAt == nil else { return false }
        backoff.reset()
        phase = .idle
        sendSoon(now)
        return true
    }

    /// Another registration, or none: what was learnt by the old one says nothing of the new.
    mutating func registrationChanged() -> [Effect] {
        let effects: [Effect] = isAtWork ? [.cancel] : []
        dropSession()
        phase = .idle
        endpoints = []
        health = [:]
        trouble = nil
        tried = [:]
        doubts = [:]
        lastProved = nil
        others = OthersWatch()
        hasSeenTracker = false
        isUrgent = true
        configurationDue = -.infinity
        trackerDue = nil
        backoff.reset()
        return effects
    }

    /// Begins with the endpoint that ought to be tried first now; keeps the session if it is that.
    mutating func beginAttempt(_ now: Moment) -> [Effect] {
        tried = [:]
        due = nil
        askedForPosition = false
        let order = order(now)
        if session != nil, order.first == session?.endpoint {
            session?.mayHaveMore = true
            return advance(now)
        }
        dropSession()
        return tryNext(now)
    }

    /// The endpoints to try: those that failed lately last, those that asked for a pause not at all.
    private func order(_ now: Moment) -> [Endpoint] {
        let all = orderForDirectCalls(now)
        guard backoff.isQuick else { return all }
        // After a refusal only the one that is most likely ours is asked again so soon.
        return Array((all.filter { $0.kind == lastProved } + all).prefix(tried.isEmpty ? 1 : 0))
    }

    /// The order for what somebody asks now, whatever the rhythm of our own attempts: those that
    /// failed lately last, those that asked for a pause not at all.
    public func orderForDirectCalls(_ now: Moment) -> [Endpoint] {
        let allowed = endpoints.filter { now.uptime >= health[$0.kind, default: .init()].notBefore }
        let preferred = allowed.filter { health[$0.kind, default: .init()].isPreferred(at: now) }
        return preferred + allowed.filter { !preferred.contains($0) }
    }

    /// Opens a session on the next endpoint of the route, or ends the attempt.
    private mutating func tryNext(_ now: Moment) -> [Effect] {
        guard let next = order(now).first(where: { tried[$0.kind] == nil }) else {
            return attemptFailed(now)
        }
        session = CourierSession(endpoint: next)
        return advance(now)
    }

    /// This endpoint does not bring it home: on to the next.
    mutating func fail(_ problem: EndpointProblem, _ now: Moment) -> [Effect] {
        guard let endpoint = session?.endpoint else { return attemptFailed(now) }
        hintAtChange(after: Self.hintedInterval.other, now)
        missed(problem, now)
        tried[endpoint.kind] = problem
        dropSession()
        dirty = true
        // Another endpoint would lead to the same Home Assistant.
        if problem.isHomeAssistantsOwn { return attemptFailed(now) }
        let check: [Effect] = problem.isBeforeHomeAssistant ? [.checkNetwork] : []
        return check + tryNext(now)
    }

    /// Notes why this endpoint does not bring everything home.
    mutating func missed(_ problem: EndpointProblem, _ now: Moment) {
        guard let kind = session?.endpoint.kind else { return }
        health[kind, default: .init()].failed(problem, at: now)
        if problem == .trackerMissing {
            trouble = trouble ?? Trouble(since: now.uptime, problems: [:])
            trouble?.problems[kind] = problem
        }
    }

    /// Stops delivery after a failure of the queue: reports that could not be settled are not sent.
    mutating func storeFailed(_ now: Moment) -> [Effect] {
        let effects: [Effect] = isAtWork ? [.cancel] : []
        dropSession()
        dirty = true
        let until = now.uptime + Self.storeRest.most
        storeFailedAt = now.uptime
        phase = .resting(until: until)
        return effects + [.wake(at: until)]
    }

    /// A stranger's 410 is no word of Home Assistant's.
    mutating func failGone(_ now: Moment) -> [Effect] {
        guard let endpoint = session?.endpoint else { return attemptFailed(now) }
        let believed = endpoint.isAuthentic || health[endpoint.kind]?.proved == true
        return fail(believed ? .gone : .foreign("status 410 from an unconfirmed endpoint"), now)
    }

    private mutating func attemptFailed(_ now: Moment) -> [Effect] {
        session = nil
        if endpoints.isEmpty {
            // Nothing to wait for but another route, which has its own warnings.
            phase = .idle
            due = nil
            trouble = nil
            return []
        }
        var trouble = trouble ?? Trouble(since: now.uptime, problems: [:])
        trouble.problems.merge(tried) { _, new in new }
        self.trouble = trouble
        var until = endOfPause
        if !tried.isEmpty {
            // Whoever is answered by Home Assistant itself asks no other endpoint.
            let isOwn = tried.values.contains(where: \.isHomeAssistantsOwn)
            let asked = isOwn ? tried.count : endpoints.count
            until = now.uptime + backoff.delay(after: cause, asked: asked, at: now)
        }
        phase = .resting(until: until)
        return [.wake(at: until)]
    }

    /// The uptime from which the first of the endpoints that asked for a pause may be asked again.
    private var endOfPause: Seconds {
        endpoints.map { health[$0.kind, default: .init()].notBefore }.min() ?? 0
    }

    private var cause: Backoff.Cause {
        if tried.values.contains(.gone), isEveryEndpointReached { return .gone }
        if tried.values.allSatisfy(\.isNetwork) { return .network }
        let answers = tried.values.filter { !$0.isBeforeHomeAssistant }
        let isRefusedByAuthority = answers.allSatisfy { problem in
            if case .unauthorized = problem { true } else { false }
        }
        return isRefusedByAuthority && !answers.isEmpty ? .unauthorized : .refusal
    }

    /// Whether somebody answers at each endpoint, so that none can do better by itself. Not all are
    /// tried in each attempt: what an endpoint said last counts.
    private var isEveryEndpointReached: Bool {
        endpoints.allSatisfy {
            trouble?.problems[$0.kind].map { !$0.isBeforeHomeAssistant } ?? false
        }
    }

    /// Drops the session, and notes that its unconfirmed reports may have arrived or not.
    mutating func dropSession() {
        if session != nil { inDoubt = true }
        session = nil
    }

    /// The endpoint gave a proof.
    mutating func proved(_ now: Moment) {
        guard let endpoint = session?.endpoint else { return }
        health[endpoint.kind, default: .init()].succeeded(at: now)
        lastProved = endpoint.kind
        session?.hasProved = true
    }
}
