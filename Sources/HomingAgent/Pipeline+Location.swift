internal import HomingBase
internal import HomingDelivery
internal import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingRuntime

/// From a report to a row in the outbox.
extension Pipeline {
    /// A report came, which may have to wait for its time.
    func position(_ report: PositionReport, _ now: Moment) {
        perform(receiverTime.take(report, isClockSet: isClockSet(), at: now), now)
    }

    func receiverTimeWoke() {
        let now = clock.now()
        perform(receiverTime.timer(at: now), now)
        onChange()
    }

    private func perform(_ effects: [ReceiverTime.Effect], _ now: Moment) {
        for effect in effects {
            switch effect {
            case .consider(let report): consider(report, now)
            case .wake(let at): receiverTimer.set(at: at)
            }
        }
    }

    private func consider(_ report: PositionReport, _ now: Moment) {
        let fix = try? Fix.reading(report).get()
        if report.mode >= .twoDimensional {
            fixlessSince = nil
            raise(.noFix, false)
        } else {
            let since = fixlessSince ?? now.uptime
            fixlessSince = since
            raise(.noFix, true, since: since)
        }
        let decision = policy.consider(
            report, standsStill: gate.knowsStill(at: now), at: now)
        compareClocks(report, decision, now)
        noteStreak(decision, now)
        if let fix, decision.showsFix {
            lastFix = LastFix(fix: fix, at: now)
            onFix(fix)
        }
        switch decision {
        case .accept(let fix, let reason):
            accept(fix, reason, now)
            perform(gate.fix(fix, at: now))
        case .skip(.near), .skip(.frozen):
            if let fix { perform(gate.fix(fix, at: now)) }
        case .skip(let reason):
            Log.debug("position skipped: \(reason.rawValue)")
            // Only more fixes can say whether it was right.
            if reason == .held { perform(gate.doubted(at: now)) }
        }
    }

    /// Two minutes of fixes from the future or the past are a wrong clock, not a slow receiver.
    private func compareClocks(
        _ report: PositionReport, _ decision: LocationPolicy.Decision, _ now: Moment
    ) {
        switch decision {
        case .skip(.future), .skip(.old):
            let isBehind = decision == .skip(.future)
            let difference = report.time.map { "by \(Lag.text(abs(now.unixTime - $0)))" }
            raise(.clockBehind, isBehind, detail: difference)
            raise(.clockAhead, !isBehind, detail: difference)
        case .skip(.noFix), .skip(.noPlace), .skip(.noTime), .skip(.inaccurate):
            // Nobody has looked at its time.
            break
        case .skip, .accept:
            raise(.clockBehind, false)
            raise(.clockAhead, false)
        }
    }

    /// Raises `fixes_skipped` when all fixes of two minutes were skipped for one reason.
    private func noteStreak(_ decision: LocationPolicy.Decision, _ now: Moment) {
        let before = streak.current?.reason
        streak.take(decision, at: now)
        let current = streak.current
        if current?.reason != before { raise(.fixesSkipped, false) }
        raise(
            .fixesSkipped, current != nil, detail: current?.reason.explanation,
            since: current?.since)
    }

    private func accept(_ fix: Fix, _ reason: LocationPolicy.ReportReason, _ now: Moment) {
        if reason == .heartbeat { onHeartbeat() }
        let message = LocationMessage(place: .fix(fix), battery: power.batteryPercentage)
        guard let id = append(.location(message), now) else { return policy.notStored() }
        Log.debug(
            "accepted \(id.number) (\(reason.rawValue)): \(fix.coordinate.latitude),"
                + "\(fix.coordinate.longitude) ±\(fix.accuracy) m")
        onAccepted(fix)
        assignWaiters(id)
        let urgent = reason == .zoneCrossed || reason == .requested || reason == .first
        tell(.accepted(.location, urgent: urgent))
    }

    /// Takes a message into the outbox; `nil` if that cannot be written, which it tells by itself.
    func append(
        _ message: OutboxMessage, _ now: Moment, expiresAt: Seconds? = nil
    ) -> EntryID? {
        guard
            let id = try? outbox.append(message, acceptedAt: now.unixTime, expiresAt: expiresAt)
        else { return nil }
        answerWaiters(goneAs: .evicted)
        onAppend()
        return id
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

    func gateWoke() { perform(gate.timer(at: clock.now())) }

    func gpsdChanged(_ state: GPSDState, _ now: Moment) {
        gpsd = state
        switch state {
        case .off:
            raise(.gpsdUnreachable, false)
            forgetReceiver()
        case .disconnected(let reason):
            raise(.gpsdUnreachable, true, detail: reason)
            forgetReceiver()
        case .watching(let receivers):
            raise(.gpsdUnreachable, false)
            raise(.noReceiver, receivers == 0)
        case .resting:
            // A fault is believed until the next look; a fix that was skipped alone is no fault.
            if streak.current.map({ clock.now().uptime - $0.since < SkipStreak.patience }) ?? false
            {
                forgetStreak()
            }
        }
    }

    private func forgetStreak() {
        streak.forget()
        raise(.fixesSkipped, false)
    }

    /// Nobody tells of a receiver any more.
    private func forgetReceiver() {
        fixlessSince = nil
        forgetStreak()
        policy.forgetReceiver()
        for warnable in [Warnable.noReceiver, .noFix, .clockBehind, .clockAhead] {
            raise(warnable, false)
        }
    }
}

extension LocationPolicy.Decision {
    /// Whether its fix may be shown to people as the last one.
    fileprivate var showsFix: Bool { self != .skip(.held) && self != .skip(.duplicate) }
}
