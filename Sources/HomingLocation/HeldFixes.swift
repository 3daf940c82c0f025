internal import HomingBase

/// Holds back fixes that the machine cannot have reached, until the receiver repeats them.
///
/// Receivers err: after a reflection, a jammer or a cold start a single fix may be kilometres off
/// and claim a radius of metres. So a fix is compared with the last one that was believed. What
/// cannot be reached from there waits. Three fixes over five seconds that agree with each other are
/// believed, if none of the fixes meanwhile agreed with the old place, and no more of them said
/// something else.
public struct HeldFixes: Sendable {
    /// Number of the fixes that were held, by what became of them.
    public struct Count: Codable, Equatable, Sendable {
        /// Those of which nothing is known yet.
        public internal(set) var waiting = 0
        /// The receiver repeated them.
        public internal(set) var believed = 0
        /// Fixes that the receiver did not repeat.
        public internal(set) var dropped = 0

        public var total: Int { waiting + believed + dropped }
    }

    enum Verdict: Equatable, Sendable {
        /// Fix that can be reached, or was repeated often enough.
        case believed
        case held
        /// Fix of the same epoch as a fix that is held.
        case repeated
    }

    /// Number of fixes that must agree.
    static let agreement = 3
    /// Seconds from the first of them to the last.
    static let span: Seconds = 5
    /// Seconds after which fixes need to agree only as an aeroplane's do: some receivers never tell
    /// their speed, or tell a wrong one.
    static let strictFor: Seconds = 30
    /// Seconds after which a held fix is dropped.
    static let patience: Seconds = 120
    /// Seconds between two that are kept: more of them say no more.
    static let pace: Seconds = 1
    /// The most that are kept.
    static let capacity = 12

    /// A held fix that is kept, and how many fixes it stands for.
    private struct Candidate: Sendable {
        var seen: SeenFix
        var weight = 1
    }

    public private(set) var count = Count()
    /// The last fix that was believed.
    private var trusted: SeenFix?
    /// Candidates in the order of their arrival.
    private var candidates: [Candidate] = []
    /// Time of the newest fix that was held.
    private var lastHeld: Seconds?
    /// Uptime at which the first was held since the last that was believed.
    private var heldSince: Seconds?

    /// Takes a good fix.
    ///
    /// - Parameter standsStill: whether the machine is known to have stood still until now.
    mutating func judge(_ fix: Fix, standsStill: Bool, at now: Moment) -> Verdict {
        let seen = SeenFix(fix, at: now)
        guard let trusted else { return believe(seen) }
        let reach = Reach(from: trusted, to: seen)
        if standsStill ? reach.isPossibleFromRest : reach.isPossible {
            return believe(seen.reached(from: trusted))
        }
        if !candidates.isEmpty, fix.time == lastHeld { return .repeated }
        forgetOld(now)
        let ground = chain(to: seen, byAir: false)
        if isEnough(ground, for: fix) { return believe(seen, after: ground) }
        let isStrict = now.uptime - (heldSince ?? now.uptime) < Self.strictFor
        if isStrict { return hold(seen, after: ground.first, now) }
        let air = chain(to: seen, byAir: true)
        if isEnough(air, for: fix) { return believe(seen, after: air) }
        return hold(seen, after: air.first, now)
    }

    /// The held fixes from which this one was reached, one from the other; the newest first.
    private func chain(to seen: SeenFix, byAir: Bool) -> [Int] {
        var chain: [Int] = []
        var later = seen
        var next: Reach?
        for index in candidates.indices.reversed() {
            let reach = Reach(from: candidates[index].seen, to: later)
            guard byAir ? reach.isPossibleByAir(before: next) : reach.isPossible else { continue }
            chain.append(index)
            later = candidates[index].seen
            next = reach
        }
        return chain
    }

    /// Whether enough of the newest in the chain agree with a fix, and as many as the held fixes
    /// between that contradict them: wild ones agree by chance, sooner or later.
    private func isEnough(_ chain: [Int], for fix: Fix) -> Bool {
        zip(1..., chain).contains { length, first in
            let others = candidates.count - first - length
            return length + 1 >= Self.agreement && others <= length + 1
                && fix.time - candidates[first].seen.fix.time >= Self.span
        }
    }

    private mutating func hold(_ seen: SeenFix, after newest: Int?, _ now: Moment) -> Verdict {
        count.waiting += 1
        lastHeld = seen.fix.time
        heldSince = heldSince ?? now.uptime
        if let newest, seen.fix.time - candidates[newest].seen.fix.time < Self.pace {
            candidates[newest].weight += 1
            return .held
        }
        let reached = newest.map { seen.reached(from: candidates[$0].seen) } ?? seen
        candidates.append(Candidate(seen: reached))
        if candidates.count > Self.capacity { drop(candidates.removeFirst()) }
        return .held
    }

    /// Those of the chain were right, and so is the fix that was reached from them.
    private mutating func believe(_ seen: SeenFix, after chain: [Int]) -> Verdict {
        let reached = chain.first.map { seen.reached(from: candidates[$0].seen) } ?? seen
        for index in chain {
            count.waiting -= candidates[index].weight
            count.believed += candidates[index].weight
            candidates[index].weight = 0
        }
        return believe(reached)
    }

    private mutating func believe(_ seen: SeenFix) -> Verdict {
        trusted = seen
        candidates.forEach { drop($0) }
        candidates = []
        heldSince = nil
        return .believed
    }

    private mutating func forgetOld(_ now: Moment) {
        while let first = candidates.first, now.uptime - first.seen.uptime > Self.patience {
            drop(candidates.removeFirst())
        }
    }

    private mutating func drop(_ candidate: Candidate) {
        count.waiting -= candidate.weight
        count.dropped += candidate.weight
    }
}
