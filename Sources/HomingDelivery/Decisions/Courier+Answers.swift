internal import HomingBase
internal import HomingLocation
internal import HomingRoutes

/// Conclusions of the courier from the replies to its requests.
extension Courier {
    /// The one answer to the request under way.
    mutating func answered(_ answer: Answer, _ now: Moment) -> [Effect] {
        guard case .waiting(let awaiting) = phase, session != nil else { return [] }
        switch answer {
        case .failed(let problem): return fail(problem, now)
        case .gone: return failGone(now)
        default: break
        }
        switch (awaiting, answer) {
        case (.configuration, .configuration(let facts)): return configured(facts, now)
        case (.zones, .zones(let zones)):
            proved(now)
            if zones != self.zones { formerZones = self.zones }
            self.zones = zones
            hasZones = true
            session?.mustProve = true
            return [.learnedZones(zones)] + advance(now)
        case (.receipt(let purpose), .receipt(let receipt, let onNewConnection)):
            return received(receipt, purpose, onNewConnection: onNewConnection, now)
        case (.shortReceipt(let names), .receipt(let receipt, let onNewConnection)):
            return confirmed(receipt, names, onNewConnection: onNewConnection, now)
        case (.item(let item), .taken(let onNewConnection)):
            session?.sent.append(item)
            if onNewConnection { session?.mustProve = true }
            return advance(now)
        case (.item(let item), .sensors(let verdicts, let onNewConnection)):
            return sensorsAnswered(item, verdicts, onNewConnection: onNewConnection, now)
        case (.registration, .sensorRegistered(let onNewConnection)):
            return sensorRegistered(onNewConnection: onNewConnection, now)
        case (.registration(let entry), .sensorUnknownHere): return forget(entry, now)
        case (.registration(let entry), .refused(let status)):
            return suspect(entry, status: status)
        case (.registration(let entry), .empty): return suspect(entry, status: nil)
        case (.item(let item), .refused(status: 413)) where item.entries.count > 1:
            return split(item, now)
        case (.item(let item), .refused(let status)):
            return beginRequest(.receipt(.suspicion(item, status: status)))
        case (.item(let item), .empty):
            return beginRequest(.receipt(.suspicion(item, status: nil)))
        default:
            return fail(.foreign("its answer does not fit the question"), now)
        }
    }

    private mutating func configured(_ facts: HomeAssistantFacts, _ now: Moment) -> [Effect] {
        proved(now)
        configuredAt = now.uptime
        configurationDue = now.uptime + Self.configurationInterval
        hasZones = false
        // Until the tracker is there an accepted position would be lost, and the cloud may not be
        // there yet either.
        guard facts.trackerLoaded else {
            configurationDue = -.infinity
            return fail(.trackerNotLoaded, now)
        }
        return [.learned(facts)] + advance(now)
    }

    /// Something in Home Assistant may be another than it was: it is asked for, so many seconds
    /// after the last time.
    mutating func hintAtChange(after pause: Seconds, _ now: Moment) {
        let last = configuredAt ?? -.infinity
        configurationDue = min(configurationDue, max(now.uptime, last + pause))
    }

    mutating func received(
        _ receipt: Receipt, _ purpose: ReceiptPurpose, onNewConnection: Bool, _ now: Moment
    ) -> [Effect] {
        let strangers = lookForOthers(receipt, now)
        return strangers + judged(receipt, purpose, onNewConnection: onNewConnection, now)
    }

    private mutating func judged(
        _ receipt: Receipt, _ purpose: ReceiptPurpose, onNewConnection: Bool, _ now: Moment
    ) -> [Effect] {
        proved(now)
        if let kind = current { health[kind]?.gaveReceipt(at: now) }
        if case .looking = purpose {
            return looked(receipt, onNewConnection: onNewConnection, now)
        }
        if onNewConnection { forgetUncovered() }
        session?.mustProve = false
        let sent = session?.sent.items ?? []
        // What is sent before the tracker is there is lost.
        if receipt.trackerState == "unavailable" {
            return arrivedButPositions(sent) + fail(.trackerNotLoaded, now)
        }
        let isTrackerBack = receipt.trackerExists && session?.lacksTracker == true
        noteTracker(exists: receipt.trackerExists)
        noteWitness(receipt, now)
        if case .opening = purpose {
            session?.held = receipt
            return advance(now)
        }
        // A receipt that only proves the endpoint does not delay that of the next position.
        if !sent.isEmpty { session?.lastReceipt = now.uptime }
        let finding = ReceiptJudge.judge(sent, receipt, zones: zones + formerZones)
        if finding == .allArrived, !ReceiptJudge.agrees(receipt, sent, zones: ZoneMap(zones)) {
            hintAtChange(after: Self.hintedInterval.other, now)
        }
        if mayHaveMissedSome(of: sent, finding) {
            return lookAgain(receipt, finding, purpose, now)
        }
        if isTrackerBack { lookFromHere(receipt) }
        switch finding {
        case .allArrived: return arrived(sent) + closeSuspicion(purpose, now)
        case .arrived(let count): return notTaken(sent, arrived: count, now)
        case .trackerMissing:
            session?.reload()
            return arrivedButPositions(sent) + advance(now)
        }
    }

    /// Notes whether there is a tracker. Without a tracker only events and history are sent;
    /// when it is back, positions are too.
    mutating func noteTracker(exists: Bool) {
        if exists, session?.lacksTracker == true { session?.mayHaveMore = true }
        session?.lacksTracker = !exists
        if !exists { session?.shortForm = nil }
        hasSeenTracker = exists
    }

    /// The item sent first on a connection that is gone was answered by whoever was behind it: the
    /// tracker may show that a position arrived; anything else is sent again.
    mutating func forgetUncovered() {
        guard let session, session.mustProve, let last = session.sent.last else { return }
        if case .fix? = last.location?.place { return }
        self.session?.reload()
        self.session?.sent = session.sent.dropLast()
    }

    /// Proof for everything sent: settle it, and forget past trouble, unless positions still wait.
    private mutating func arrived(_ items: [SentItem]) -> [Effect] {
        session?.sent = SentItems()
        session?.careful = false
        for id in items.flatMap({ $0.entries.map(\.id) }) { doubts[id] = nil }
        if session?.lacksTracker != true {
            backoff.reset()
            trouble = nil
        }
        return settle(items)
    }

    /// Returns one `settle` for each fate, with the items of that fate.
    func settle(_ items: [SentItem]) -> [Effect] {
        [Fate.deliveredLive, .deliveredTrack].compactMap { fate in
            let ids = items.filter { $0.fate == fate }.flatMap { $0.entries.map(\.id) }
            return ids.isEmpty ? nil : .store(.settle(ids, fate))
        }
    }

    /// Events and history do not hang on the tracker.
    func arrivedButPositions(_ items: [SentItem]) -> [Effect] {
        settle(items.filter { $0.location == nil })
    }

    /// The endpoint proved itself right after it could not take this item: so Home Assistant
    /// refuses it, or was starting a moment ago.
    mutating func closeSuspicion(
        _ purpose: ReceiptPurpose, _ now: Moment
    ) -> [Effect] {
        guard case .suspicion(let item, let status) = purpose else { return advance(now) }
        if item.entries.count > 1 { return split(item, now) }
        if item.location != nil, session?.lacksTracker == true {
            session?.reload()
            return advance(now)
        }
        let word = status.map { "with status \($0)" } ?? "with an empty answer"
        let effects = doubt(item, "Home Assistant refused it \(word)")
        session?.reload()
        return effects + advance(now)
    }

    /// Counts once more that an item was not taken, sent alone to a Home Assistant that works.
    /// Rejects the item in the end.
    mutating func doubt(_ item: SentItem, _ reason: String) -> [Effect] {
        guard let id = item.entries.first?.id else { return [] }
        doubts[id, default: 0] += 1
        return doubts[id, default: 0] < Self.maxDoubts ? [] : reject(item, reason)
    }

    mutating func reject(_ item: SentItem, _ reason: String) -> [Effect] {
        let ids = item.entries.map(\.id)
        for id in ids { doubts[id] = nil }
        session?.trackLimit = CourierSession.maxTrackFixes
        session?.sensorLimit = CourierSession.maxSensors
        return [.store(.settle(ids, .rejected)), .rejected(ids, reason)]
    }

    /// Too large, or one of them cannot be taken: fewer at a time, down to the one.
    private mutating func split(_ item: SentItem, _ now: Moment) -> [Effect] {
        let half = max(1, item.entries.count / 2)
        if item.isSensors {
            session?.sensorLimit = half
            session?.rows.sensors.insert(contentsOf: item.entries, at: 0)
        } else {
            session?.trackLimit = half
            session?.mayHaveMore = true
        }
        return advance(now)
    }

    /// Home Assistant works and yet holds an older place than the last it was told. What arrived is
    /// settled, and the rest is sent again one by one.
    private mutating func notTaken(
        _ sent: [SentItem], arrived count: Int, _ now: Moment
    ) -> [Effect] {
        let missing = sent[count...]
        var effects = settle(Array(sent[..<count]) + missing.filter { $0.location == nil })
        let positions = missing.filter { $0.location != nil }
        if positions.count == 1, let item = positions.first {
            effects += doubt(item, "Home Assistant said nothing and did not take it")
        }
        session?.reload()
        session?.careful = true
        // What another version does not know, it drops without a word: its version is asked again.
        if positions.contains(where: { $0.location?.isZone == true }) {
            configurationDue = -.infinity
        }
        return effects + advance(now)
    }
}
