public import HomingBase
public import HomingLocation

/// Decides whether Home Assistant is told of a known place: only while the receiver is silent, and only
/// where the place differs from what Home Assistant has been told.
///
/// A receiver that is back is used at once. A place that contradicts the receiver must be seen twice.
public struct SourceChoice: Equatable, Sendable {
    public enum Effect: Equatable, Sendable {
        /// Tell Home Assistant of the place.
        case tell(Place.Target)
        /// Call `wake(at:)` at this uptime; `nil` for never.
        case wake(at: Seconds?)
    }

    /// What Home Assistant was told last.
    private enum Told: Equatable {
        case nothing
        /// A position, and the state of a tracker there.
        case position(Coordinate, state: String)
        case place(Place.Target)
    }

    /// Seconds between the two looks at a place that contradicts the receiver.
    static let doubt: Seconds = 60
    /// The state of a tracker in no zone.
    public static let awayName = "not_home"

    /// Seconds without a position after which the receiver counts as silent.
    public var silence: Seconds
    private var told = Told.nothing
    private var verdict = PlaceStage.Verdict.unknown
    /// Uptime of the last position.
    private var lastFix: Seconds?
    /// Uptime from which a contradiction is believed.
    private var doubtEnds: Seconds?
    private var wakesAt: Seconds?

    public init(silence: Seconds) { self.silence = silence }

    /// The receiver has a position.
    ///
    /// - Parameter state: of a tracker there.
    /// - Returns: whether the position is to be told even if it is near the last one.
    public mutating func noteFix(
        at place: Coordinate, state: String, _ now: Moment
    ) -> (isReturn: Bool, effects: [Effect]) {
        let isReturn = if case .place = told { true } else { false }
        told = .position(place, state: state)
        (lastFix, doubtEnds) = (now.uptime, nil)
        return (isReturn, review(at: now))
    }

    /// Another verdict about places.
    public mutating func note(_ verdict: PlaceStage.Verdict, at now: Moment) -> [Effect] {
        if verdict != self.verdict { doubtEnds = nil }
        self.verdict = verdict
        return review(at: now)
    }

    /// Home Assistant knows nothing: the registration is another.
    public mutating func forgetTold(at now: Moment) -> [Effect] {
        (told, lastFix) = (.nothing, nil)
        return review(at: now)
    }

    /// The time of a `wake` has come, or nearly.
    public mutating func wake(at now: Moment) -> [Effect] {
        wakesAt = nil
        return review(at: now)
    }

    private mutating func review(at now: Moment) -> [Effect] {
        var next: Seconds?
        var effects: [Effect] = []
        if let target, contradicts(target) {
            if let wait = wait(at: now) {
                next = wait
            } else {
                told = .place(target)
                doubtEnds = nil
                effects.append(.tell(target))
            }
        }
        if next != wakesAt { effects.append(.wake(at: next)) }
        wakesAt = next
        return effects
    }

    /// Until when the place is not told yet; `nil` if the place may be told.
    private mutating func wait(at now: Moment) -> Seconds? {
        if let lastFix, now.uptime < lastFix + silence { return lastFix + silence }
        guard case .position = told else { return nil }
        let end = doubtEnds ?? now.uptime + Self.doubt
        doubtEnds = end
        return now.uptime < end ? end : nil
    }

    private var target: Place.Target? {
        switch verdict {
        case .unknown: nil
        case .away: .zone(Self.awayName)
        case .at(let target, _, _): target
        }
    }

    /// Whether Home Assistant would learn something. A circle that holds the last position says nothing
    /// new.
    private func contradicts(_ target: Place.Target) -> Bool {
        switch (told, target) {
        case (.nothing, _): true
        case (.place(let told), _): told != target
        // Another network is not home. It may well be in any other zone.
        case (.position(_, let state), .zone(Self.awayName)): state == PlaceStage.homeName
        case (.position(_, let state), .zone(let name)): state != name
        case (.position(let place, _), .point(let centre, let accuracy)):
            Geodesy.distance(place, centre) > accuracy
        }
    }
}
