public import HomingBase

/// Record of the raised warnables: since when, and which have lasted long enough to be shown.
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
        /// Uptime at which it is over by itself.
        var until = Seconds.infinity

        /// Uptime at which it is shown. Reckoned in this one way: a review that comes at this time
        /// and finds that it has not come would be asked for again and again.
        func visible(_ warnable: Warnable) -> Seconds { since + warnable.visibleAfter }
    }
    private var entries: [Warnable: Entry] = [:]

    public init() {}

    /// Whether it is raised, shown or not.
    public func isRaised(_ warnable: Warnable) -> Bool { entries[warnable] != nil }

    /// Raises or clears a warnable; what was shown and is cleared is told once.
    ///
    /// - Parameter since: the uptime at which it began, if that was before now.
    public mutating func set(
        _ warnable: Warnable, _ raised: Bool, detail: String? = nil, since: Seconds? = nil,
        at now: Moment
    ) -> [Change] {
        if raised {
            var entry = entries[warnable] ?? Entry(since: since ?? now.uptime)
            entry.detail = detail?.bounded(Bound.reason)
            entry.until = warnable.clearsAfter.map { now.uptime + $0 } ?? .infinity
            entries[warnable] = entry
            return review(at: now)
        }
        guard let entry = entries.removeValue(forKey: warnable), entry.shown else { return [] }
        // What it explained speaks for itself from now on.
        return [.cleared(warnable)] + review(at: now)
    }

    /// Shows what has lasted long enough, and ends what is over by itself.
    public mutating func review(at now: Moment) -> [Change] {
        Warnable.all.compactMap { warnable in
            guard let entry = entries[warnable] else { return nil }
            if now.uptime >= entry.until {
                entries[warnable] = nil
                return entry.shown ? .cleared(warnable) : nil
            }
            guard !entry.shown, now.uptime >= entry.visible(warnable), !isExplained(warnable)
            else { return nil }
            entries[warnable]?.shown = true
            return .appeared(warnable, detail: entry.detail)
        }
    }

    /// Warnables that are shown now and that no other shown warnable explains, with their details,
    /// in the order of `Warnable.all`.
    public var visible: [(warnable: Warnable, detail: String?)] {
        // Mostly nothing is shown. Then the search through all warnables is left out.
        guard entries.values.contains(where: \.shown) else { return [] }
        return Warnable.all.compactMap { warnable in
            guard let entry = entries[warnable], entry.shown, !isExplained(warnable) else {
                return nil
            }
            return (warnable, entry.detail)
        }
    }

    /// Whether something else that is shown says why.
    private func isExplained(_ warnable: Warnable) -> Bool {
        warnable.dependsOn.contains { entries[$0]?.shown ?? false }
    }

    /// Uptime at which the next one may have to be shown, or is over. What something else explains
    /// waits for the end of that, not for a time.
    public var nextReview: Seconds? {
        entries.map { warnable, entry in
            entry.shown || isExplained(warnable)
                ? entry.until : min(entry.until, entry.visible(warnable))
        }.filter(\.isFinite).min()
    }
}
