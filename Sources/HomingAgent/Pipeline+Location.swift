internal import HomingCore
internal import HomingRuntime

/// From a report to a row in the outbox.
extension Pipeline {
    func position(_ report: PositionReport, _ now: Moment) {
        if case .success(let fix) = Fix.reading(report, at: now) {
            lastFix = LastFix(fix: fix, at: now)
            fixlessSince = nil
            raise(.noFix, false)
        } else if report.mode < .twoDimensional {
            let since = fixlessSince ?? now.uptime
            fixlessSince = since
            raise(.noFix, true, since: since)
        }
        let decision = policy.consider(report, at: now)
        if report.mode >= .twoDimensional { raise(.clockBehind, decision == .skip(.future)) }
        switch decision {
        case .accept(let fix, let reason):
            accept(fix, reason, now)
            perform(gate.fix(fix, at: now))
        case .skip(.near):
            if let lastFix { perform(gate.fix(lastFix.fix, at: now)) }
        case .skip(let reason):
            Log.debug("position skipped: \(reason.rawValue)")
        }
    }

    private func accept(_ fix: Fix, _ reason: LocationPolicy.ReportReason, _ now: Moment) {
        let message = LocationMessage(place: .fix(fix), battery: power.batteryPercentage)
        guard let id = append(.location(message), now) else { return policy.notStored() }
        Log.debug(
            "accepted \(id.number) (\(reason.rawValue)): \(fix.coordinate.latitude),"
                + "\(fix.coordinate.longitude) ±\(fix.accuracy) m")
        assignWaiters(id)
        let urgent = reason == .zoneCrossed || reason == .requested || reason == .first
        tell(.accepted(urgent: urgent))
    }

    /// Reports a zone by its name, whatever the receiver says.
    func reportZone(_ name: String, waiter: LocationWaiter) {
        let now = SystemClock.now()
        let place = LocationMessage.Place.zone(name: name, time: now.unixTime)
        let message = LocationMessage(place: place, battery: power.batteryPercentage)
        guard let id = append(.location(message), now) else { return waiter.finish(.noPosition) }
        waiter.entry = id
        waiters.append(waiter)
        tell(.flush)
    }

    /// Reports the next good fix, and asks the receiver for one.
    func reportPosition(waiter: LocationWaiter) {
        waiters.append(waiter)
        policy.request()
        perform(gate.wanted(at: SystemClock.now()))
        sources.watchReceiver()
    }

    private func append(_ message: OutboxMessage, _ now: Moment) -> EntryID? {
        do throws(OutboxError) {
            let id = try outbox.append(message, acceptedAt: now.unixTime, expiresAt: nil)
            raise(.outboxFailed, false)
            return id
        } catch {
            raise(.outboxFailed, true, detail: error.message)
            return nil
        }
    }

    private func assignWaiters(_ id: EntryID) {
        let unassigned = waiters.filter { $0.entry == nil && !$0.isFinished }
        for waiter in unassigned { waiter.entry = id }
        if !unassigned.isEmpty { tell(.flush) }
    }

    func perform(_ effects: [MotionGate.Effect]) {
        for effect in effects {
            switch effect {
            case .watch: sources.watchReceiver()
            case .rest: sources.restReceiver()
            case .wake(let at): gateTimer.set(at: at)
            }
        }
    }

    func gateWoke() { perform(gate.timer(at: SystemClock.now())) }

    func gpsdChanged(_ state: GPSDState, _ now: Moment) {
        gpsd = state
        switch state {
        case .disconnected(let reason):
            raise(.gpsdUnreachable, true, detail: reason)
            raise(.noReceiver, false)
            fixlessSince = nil
            raise(.noFix, false)
        case .watching(let receivers):
            raise(.gpsdUnreachable, false)
            raise(.noReceiver, receivers == 0)
        case .resting: break
        }
    }
}

/// Somebody waiting for a report to get home.
@LoopActor final class LocationWaiter {
    /// The row, once there is one.
    var entry: EntryID?
    private var respond: (@LoopActor (Fate?, Bool) -> Void)?
    private var timeout: Watch?

    enum Ending {
        case settled(Fate)
        case queued
        case noPosition
    }

    /// - Parameter respond: called once, at the latest after `patience` seconds, with the fate if
    ///   the row was settled, and whether there is a row at all.
    init(patience: Seconds, respond: @escaping @LoopActor (Fate?, Bool) -> Void) {
        self.respond = respond
        timeout = Watch.timer(patience) { [weak self] in
            guard let self else { return .done }
            self.finish(self.entry == nil ? .noPosition : .queued)
            return .done
        }
    }

    func finish(_ ending: Ending) {
        timeout?.cancel()
        guard let respond else { return }
        self.respond = nil
        switch ending {
        case .settled(let fate): respond(fate, true)
        case .queued: respond(nil, true)
        case .noPosition: respond(nil, false)
        }
    }

    var isFinished: Bool { respond == nil }
}
