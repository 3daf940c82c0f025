internal import HomingBase
internal import HomingRoutes

/// The work on one endpoint.
extension Courier {
    /// The next step of the session.
    mutating func advance(_ now: Moment) -> [Effect] {
        // The session is long, and is looked at in its place: a copy would cost more than the look.
        guard session != nil else { return proceed(now) }
        let hasSent = session?.sent.isEmpty == false
        if now.uptime >= configurationDue {
            // The answer does not tell whether its connection is a new one. A receipt on the same
            // connection would then vouch for what was sent on the connection before.
            return hasSent ? askToClose(now) : beginRequest(.configuration)
        }
        if !hasZones { return beginRequest(.zones) }
        if inDoubt {
            return session?.held == nil ? beginRequest(.receipt(.opening)) : recall()
        }
        if session?.careful == true || session?.mustProve == true, hasSent {
            return askToClose(now)
        }
        if let unknown = session?.unregistered.first { return beginRequest(.registration(unknown)) }
        if holdsOldNews(now) { return readAnew(now) }
        if wantsLook(now) { return beginRequest(.receipt(.looking)) }
        let isFull = isFull
        if !isFull, let item = session?.nextItem() {
            if let message = item.location { others.noteSent(message) }
            return beginRequest(.item(item))
        }
        // Track rows are read from the front, so those sent must be settled before more are read.
        if session?.mayHaveMore == true, !isFull, session?.sent.holdsHistory == false {
            return load(now)
        }
        if needsReceipt(now) { return askToClose(now) }
        let waits = session?.lacksTracker == true && session?.liveWaits == true
        return waits ? waitForTracker(now) : finish(now)
    }

    /// Whether what was read for the map has grown old since: a slow endpoint takes minutes for so many
    /// of them, and the machine may have slept for hours after the first.
    private func holdsOldNews(_ now: Moment) -> Bool {
        guard settings.backlog != .replay, session?.lacksTracker == false,
            isStale(session?.rows.live.first, now)
        else { return false }
        // The newest is sent whatever its age, if it is to be.
        return settings.stalePosition == .ask || (session?.rows.live.count ?? 0) > 1
    }

    /// Reads the rows again, once what was sent is proved: what is old by now becomes history.
    private mutating func readAnew(_ now: Moment) -> [Effect] {
        guard session?.sent.isEmpty == true else { return askToClose(now) }
        session?.reload()
        return load(now)
    }

    /// Positions wait until their tracker is back; everything else was delivered, and will be.
    private mutating func waitForTracker(_ now: Moment) -> [Effect] {
        keepTrackerTrouble()
        if trackerDue == nil {
            missed(.trackerMissing, now)
            // A look brings home what else there is.
            trackerDue = now.uptime + backoff.delay(after: .refusal, asked: 2, at: now)
            // After a minute's tries even what is urgent waits for the end of a hold.
            if !backoff.isQuick { isUrgent = false }
        }
        return rest(now)
    }

    /// Begins a new session with a receipt that shows whether there is a tracker.
    mutating func lookForTracker(_ now: Moment) {
        trackerDue = nil
        dropSession()
        dirty = true
        due = now.uptime
    }

    /// A batch and anything but a position is proved at once, a single position in its time
    /// (`ReceiptPace`).
    private func needsReceipt(_ now: Moment) -> Bool {
        guard session?.sent.isEmpty == false else { return false }
        guard session?.sent.others == 0, !hurried, let last = session?.lastReceipt else {
            return true
        }
        return isFull || now.uptime - last >= receiptInterval
    }

    /// Whether nothing more is sent before a receipt.
    private var isFull: Bool {
        (session?.sent.positions ?? 0) >= settings.receipts.positions
            || (session?.sent.others ?? 0) >= Self.maxUnprovedOthers
    }

    private mutating func finish(_ now: Moment) -> [Effect] {
        trackerDue = nil
        if session?.lacksTracker == true { keepTrackerTrouble() } else { trouble = nil }
        if trouble == nil { backoff.reset() }
        // Until its receipt a crossing may have to be sent again.
        let isProved = session?.sent.isEmpty ?? true
        isUrgent = isThrifty && ((isUrgent && !isProved) || (due ?? .infinity) <= now.uptime)
        return rest(now)
    }

    /// The route works. That a position had to wait for its tracker is over only when there is one.
    private mutating func keepTrackerTrouble() {
        guard let trouble else { return }
        let problems = trouble.problems.filter { $0.value == .trackerMissing }
        self.trouble = problems.isEmpty ? nil : Trouble(since: trouble.since, problems: problems)
    }

    private mutating func rest(_ now: Moment) -> [Effect] {
        phase = .idle
        hurried = false
        // What was accepted meanwhile waits for its own time where data is saved.
        if !isThrifty || due == nil { (dirty, due) = (false, nil) }
        return proceed(now)
    }

    mutating func beginRequest(_ awaiting: Awaiting) -> [Effect] {
        guard let endpoint = session?.endpoint else { return [] }
        let request: Request
        switch awaiting {
        case .configuration: request = .configuration
        case .zones: request = .zones
        case .receipt: request = .receipt
        case .shortReceipt(let names): request = .shortReceipt(names)
        case .item(let item): request = Self.request(for: item)
        case .registration(let entry): request = .registerSensor(entry)
        case .recall, .rows: return []
        }
        phase = .waiting(awaiting)
        return [.ask(request, endpoint)]
    }

    private static func request(for item: SentItem) -> Request {
        guard item.fate == .deliveredLive, let entry = item.entries.first else {
            return .track(item.entries)
        }
        switch entry.id.stream {
        case .location: return .location(entry)
        case .events: return .event(entry)
        case .sensors: return .sensors(item.entries)
        }
    }

    private mutating func load(_ now: Moment) -> [Effect] {
        guard let sent = session?.sent else { return [] }
        // What is about to become history may have arrived on the map: that is asked first.
        let isLate =
            isThrifty
            ? sent.positions > 0 : sent.oldestPosition < now.unixTime - settings.maxAge
        if isLate, settings.backlog == .track { return askToClose(now) }
        phase = .waiting(.rows)
        session?.mayHaveMore = false
        guard let load = session?.load else { return [] }
        return ([.expire] + backlogEffects(now) + [load]).map { .store($0) }
    }

    /// Returns the effects that make old locations history, before rows are read.
    private func backlogEffects(_ now: Moment) -> [StoreEffect] {
        switch settings.backlog {
        case .track:
            let keepsNewest = settings.stalePosition == .send
            let cutoff = now.unixTime - newsAge
            let old = StoreEffect.moveToHistory(acceptedBefore: cutoff, keepingNewest: keepsNewest)
            guard isThrifty else { return [old] }
            // A message of its own costs ten times as much as a place in a history.
            return [old, .moveToHistory(acceptedBefore: now.unixTime, keepingNewest: true)]
        case .latest: return [.supersedeOlderPositions]
        case .replay: return []
        }
    }

    /// Rows came from the outbox.
    mutating func loaded(_ rows: OutboxRows, _ now: Moment) -> [Effect] {
        guard case .waiting(.rows) = phase, let lacksTracker = session?.lacksTracker else {
            return []
        }
        var rows = rows
        var effects: [Effect] = []
        let lacksNews =
            isStale(rows.live.last, now) || (rows.live.isEmpty && isStale(rows.track.last, now))
        if lacksNews, !lacksTracker {
            if !askedForPosition { effects = [.askPosition] }
            askedForPosition = true
        }
        if settings.backlog == .latest, settings.stalePosition == .ask {
            rows.live.removeAll { isStale($0, now) }
        }
        session?.replaceRows(with: rows)
        return effects + advance(now)
    }

    private func isStale(_ entry: OutboxEntry?, _ now: Moment) -> Bool {
        entry.map { $0.acceptedAt < now.unixTime - newsAge } ?? false
    }

    /// Seconds for which a location is new enough for the map. One that waited for company while data is saved is the
    /// newest still: to ask for another would cost a message more.
    private var newsAge: Seconds {
        if case .thrifty(let wait?) = pace { return max(settings.maxAge, wait + Self.companyTime) }
        return settings.maxAge
    }
}
