import HomingBase
import HomingLocation

/// A receiver that is watched as the daemon watches it: filter, policy and motion gate together.
struct WatchedMachine {
    /// Outcome of one report.
    enum Outcome: Equatable {
        case reported
        /// Good, and no news.
        case near
        case held
        case skipped(SkipReason)
        /// State that nobody watched.
        case unseen
    }

    private(set) var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
    private(set) var positions = Positions()
    private(set) var gate: MotionGate
    private(set) var isWatched = true
    private var wakeAt: Seconds?

    init(stillInterval: Seconds = 120) {
        gate = MotionGate(stillInterval: stillInterval, minDistance: 20)
    }

    var held: HeldFixes.Count { positions.filter.held }

    /// Lets so much time pass, with every wake in it.
    mutating func pass(_ seconds: Seconds) {
        let end = now.uptime + seconds
        while let at = wakeAt, at <= end {
            now = now.advanced(by: max(0, at - now.uptime))
            wakeAt = nil
            performGateEffects(gate.timer(at: now))
        }
        now = now.advanced(by: end - now.uptime)
    }

    /// A night in which no timer runs; then the watch opens, as after each resume.
    mutating func sleep(_ seconds: Seconds) {
        now = now.advanced(by: seconds)
        performGateEffects(gate.timer(at: now))
        performGateEffects(gate.wanted(at: now))
    }

    /// The receiver has a fix, so many metres from a fixed place.
    mutating func fix(
        north: Double, east: Double = 0, accuracy: Double = 8, speed: Double?
    ) -> Outcome {
        guard isWatched else { return .unseen }
        let report = PositionReport(
            mode: .threeDimensional, time: now.unixTime, latitude: 45 + north / 111_195,
            longitude: 4.9 + east / 78_626, accuracy: accuracy, speed: speed)
        let decision = positions.consider(report, standsStill: gate.knowsStill(at: now), at: now)
        switch decision {
        case .accept(let fix, _):
            performGateEffects(gate.fix(fix, at: now))
            return .reported
        case .skip(.near):
            if case .success(let fix) = Fix.reading(report) {
                performGateEffects(gate.fix(fix, at: now))
            }
            return .near
        case .skip(.held):
            performGateEffects(gate.doubted(at: now))
            return .held
        case .skip(let reason): return .skipped(reason)
        }
    }

    private mutating func performGateEffects(_ effects: [MotionGate.Effect]) {
        for effect in effects {
            switch effect {
            case .watch: isWatched = true
            case .rest: isWatched = false
            case .wake(let at): wakeAt = at
            }
        }
    }
}
