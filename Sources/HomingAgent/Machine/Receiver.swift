internal import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingRuntime

/// Way of a fix from gpsd to the fixes that this machine believes; lets the receiver rest while
/// the machine stands still.
@LoopActor final class Receiver {
    enum Event {
        /// gpsd is to be watched.
        case watch
        /// The watch of gpsd is to be closed.
        case rest
        /// A fix that people may be shown.
        case shown(Fix)
        /// A fix that is to be considered for a report.
        case believed(Fix)
        /// `state` has changed.
        case changed
    }

    struct Settings: Equatable {
        var filter = FixFilter.Settings()
        /// Seconds; 0 keeps the watch open.
        var stillInterval: Seconds = 120
        /// Metres that the machine must move to count as moving.
        var minDistance = 20.0
    }

    private let clock: any Clockwork
    private let warnings: Warnings
    private let isClockSet: @LoopActor () -> Bool
    private let report: @LoopActor (Event) -> Void
    private var times = ReceiverTime()
    private var filter: FixFilter
    private var gate: MotionGate
    private var streak = SkipStreak()
    private var gpsd = GPSDState.disconnected("not tried yet")
    /// The receivers that gpsd has open.
    private var names: [String] = []
    private var lastFix: ReceiverState.LastFix?
    /// Uptime since which the receiver has given no fix.
    private var fixlessSince: Seconds?
    private lazy var timeTimer = WakeTimer(clock) { [weak self] in self?.timeWoke() }
    private lazy var gateTimer = WakeTimer(clock) { [weak self] in self?.gateWoke() }

    /// - Parameter isClockSet: whether something vouches for this machine's clock; asked for a
    ///   receiver without a date.
    init(
        _ settings: Settings, warnings: Warnings, clock: any Clockwork,
        isClockSet: @escaping @LoopActor () -> Bool, report: @escaping @LoopActor (Event) -> Void
    ) {
        self.clock = clock
        self.warnings = warnings
        self.isClockSet = isClockSet
        self.report = report
        filter = FixFilter(settings: settings.filter)
        gate = MotionGate(
            stillInterval: settings.stillInterval, minDistance: settings.minDistance)
    }

    /// The state of the receiver, for people.
    var state: ReceiverState {
        ReceiverState(
            gpsd: gpsd, names: names, lastFix: lastFix, skipped: filter.skipped, held: filter.held,
            frozenSince: filter.frozenSince, isStill: gate.isStill,
            knowsStill: gate.knowsStill(at: clock.now()))
    }

    func apply(_ settings: Settings) {
        filter.settings = settings.filter
        gate.stillInterval = settings.stillInterval
        gate.minDistance = settings.minDistance
    }

    /// Seconds between two looks at a receiver that rests.
    var stillInterval: Seconds { gate.stillInterval }

    /// Looks for a fix, unless gpsd is watched anyway.
    func look() { performMotionEffects(gate.wanted(at: clock.now())) }

    /// Takes a report, which may have to wait for its time.
    func receiveReport(_ report: PositionReport) {
        let now = clock.now()
        performTimeEffects(times.stampReport(report, isClockSet: isClockSet(), at: now), now)
    }

    /// gpsd has these receivers open, by path and driver.
    func learn(_ names: [String]) { self.names = names }

    func gpsdChanged(_ state: GPSDState) {
        gpsd = state
        switch state {
        case .off:
            warnings.set(.gpsdUnreachable, false, ending: .withdrawn)
            lastFix = nil
            forgetReceiver()
        case .disconnected(let reason):
            warnings.set(.gpsdUnreachable, true, detail: reason)
            forgetReceiver()
        case .watching(let receivers):
            if receivers == 0 { names = [] }
            warnings.set(.gpsdUnreachable, false)
            warnings.set(.noReceiver, receivers == 0)
        case .resting:
            // A fault is believed until the next look; a fix that was skipped alone is no fault.
            let now = clock.now().uptime
            if let streak = streak.current, now - streak.since < SkipStreak.patience {
                forgetStreak()
            }
        }
    }

    /// The machine slept: its timers have stood still.
    func rearm() {
        timeTimer.rearm()
        gateTimer.rearm()
    }

    func shutdown() {
        timeTimer.cancel()
        gateTimer.cancel()
    }

    // MARK: A report

    private func timeWoke() {
        let now = clock.now()
        performTimeEffects(times.timer(at: now), now)
        report(.changed)
    }

    private func performTimeEffects(_ effects: [ReceiverTime.Effect], _ now: Moment) {
        for effect in effects {
            switch effect {
            case .consider(let report): consider(report, now)
            case .wake(let at): timeTimer.set(at: at)
            }
        }
    }

    private func consider(_ report: PositionReport, _ now: Moment) {
        noteFix(report, now)
        let fix = try? Fix.reading(report).get()
        let verdict = filter.judge(report, standsStill: gate.knowsStill(at: now), at: now)
        compareClocks(report, verdict, now)
        noteStreak(verdict, now)
        if let fix, verdict.showsFix {
            lastFix = ReceiverState.LastFix(fix: fix, at: now)
            self.report(.shown(fix))
        }
        switch verdict {
        case .believed(let fix):
            self.report(.believed(fix))
            performMotionEffects(gate.fix(fix, at: now))
        case .skipped(.frozen):
            if let fix { performMotionEffects(gate.fix(fix, at: now)) }
        case .skipped(let reason):
            Log.debug("location skipped: \(reason.rawValue)")
            // Only more fixes can say whether it was right.
            if reason == .held { performMotionEffects(gate.doubted(at: now)) }
        }
    }

    private func noteFix(_ report: PositionReport, _ now: Moment) {
        let hasFix = report.mode >= .twoDimensional
        fixlessSince = hasFix ? nil : fixlessSince ?? now.uptime
        warnings.set(.noFix, !hasFix, since: fixlessSince)
    }

    /// Two minutes of fixes from the future or the past are a wrong clock, not a slow receiver.
    private func compareClocks(
        _ report: PositionReport, _ verdict: FixFilter.Verdict, _ now: Moment
    ) {
        switch verdict {
        case .skipped(.future), .skipped(.old):
            let isBehind = verdict == .skipped(.future)
            let difference = report.time.map { "by \(TimeSpan.text(abs(now.unixTime - $0)))" }
            warnings.set(.clockBehind, isBehind, detail: difference, ending: .withdrawn)
            warnings.set(.clockAhead, !isBehind, detail: difference, ending: .withdrawn)
        case .skipped(.noFix), .skipped(.noPlace), .skipped(.noTime), .skipped(.inaccurate):
            // Nobody has looked at its time.
            break
        case .skipped, .believed:
            warnings.set(.clockBehind, false)
            warnings.set(.clockAhead, false)
        }
    }

    /// Raises `fixes_skipped` when all fixes of two minutes were skipped for one reason.
    private func noteStreak(_ verdict: FixFilter.Verdict, _ now: Moment) {
        let before = streak.current?.reason
        streak.noteVerdict(verdict, at: now)
        let current = streak.current
        let isUsed = if case .believed = verdict { true } else { false }
        if current?.reason != before {
            warnings.set(.fixesSkipped, false, ending: isUsed ? .solved : .withdrawn)
        }
        warnings.set(
            .fixesSkipped, current != nil, detail: current?.reason.explanation,
            since: current?.since)
    }

    private func forgetStreak() {
        streak.forget()
        warnings.set(.fixesSkipped, false, ending: .withdrawn)
    }

    /// Forgets the receiver, of which nobody tells any more.
    private func forgetReceiver() {
        names = []
        fixlessSince = nil
        forgetStreak()
        filter.forgetReceiver()
        for warnable in [Warnable.noReceiver, .noFix, .clockBehind, .clockAhead] {
            warnings.set(warnable, false, ending: .withdrawn)
        }
    }

    // MARK: Rest

    private func gateWoke() { performMotionEffects(gate.timer(at: clock.now())) }

    private func performMotionEffects(_ effects: [MotionGate.Effect]) {
        for effect in effects {
            switch effect {
            case .watch: report(.watch)
            case .rest: report(.rest)
            case .wake(let at): gateTimer.set(at: at)
            }
        }
    }
}

/// The state of the receiver at one moment, for people.
struct ReceiverState: Sendable {
    /// A fix that people may be shown, and when it came.
    struct LastFix: Sendable {
        let fix: Fix
        let at: Moment

        func age(at now: Moment) -> Seconds { now.uptime - at.uptime }
    }

    let gpsd: GPSDState
    /// The receivers that gpsd has open, by path and driver.
    let names: [String]
    /// The newest fix that people may be shown, reported or not.
    let lastFix: LastFix?
    /// Number of skipped reports, by reason.
    let skipped: [SkipReason: Int]
    let held: HeldFixes.Count
    /// Uptime since which the receiver has said one place.
    let frozenSince: Seconds?
    /// Whether the machine is thought to stand still.
    let isStill: Bool
    /// Whether each look until now has found it standing still.
    let knowsStill: Bool
}

extension FixFilter.Verdict {
    /// Whether its fix may be shown to people as the last one.
    fileprivate var showsFix: Bool { self != .skipped(.held) && self != .skipped(.duplicate) }
}
