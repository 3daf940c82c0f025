/// Which warnables are raised, since when, and which have lasted long enough to be shown.
public struct HealthBoard: Sendable {
    /// A change that is worth a line in the journal.
    public enum Change: Equatable, Sendable {
        case appeared(Warnable, detail: String?)
        case cleared(Warnable)
    }

    private struct Entry: Sendable {
        var since: Seconds
        var detail: String?
        var shown = false
    }
    private var entries: [Warnable: Entry] = [:]

    public init() {}

    /// Raises or clears a warnable; what was shown and is cleared is told once.
    ///
    /// - Parameter since: the uptime at which it began, if that was before now.
    public mutating func set(
        _ warnable: Warnable, _ raised: Bool, detail: String? = nil, since: Seconds? = nil,
        at now: Moment
    ) -> [Change] {
        if raised {
            entries[warnable, default: Entry(since: since ?? now.uptime)].detail = detail
            return review(at: now)
        }
        guard let entry = entries.removeValue(forKey: warnable), entry.shown else { return [] }
        return [.cleared(warnable)]
    }

    /// Shows what has lasted long enough.
    public mutating func review(at now: Moment) -> [Change] {
        Warnable.allCases.compactMap { warnable in
            guard let entry = entries[warnable], !entry.shown,
                now.uptime - entry.since >= warnable.visibleAfter
            else { return nil }
            entries[warnable]?.shown = true
            return .appeared(warnable, detail: entry.detail)
        }
    }

    /// What is shown now, with its detail, in the order of declaration.
    public var visible: [(warnable: Warnable, detail: String?)] {
        Warnable.allCases.compactMap { warnable in
            guard let entry = entries[warnable], entry.shown else { return nil }
            return (warnable, entry.detail)
        }
    }

    /// Uptime at which the next one may have to be shown.
    public var nextReview: Seconds? {
        entries.filter { !$0.value.shown }.map { $0.value.since + $0.key.visibleAfter }.min()
    }
}
