public import HomingBase
public import HomingLocation

/// Decides whether Home Assistant is told of the place that the networks show: only while the receiver
/// is silent, and only where the place differs from what Home Assistant has been told.
///
/// A receiver that is back is used at once. A place that contradicts the receiver must be shown for a
/// minute.
public struct SourceChoice: Equatable, Sendable {
    public enum Effect: Equatable, Sendable {
        /// Tell Home Assistant of the place.
        case tell(Place.Target)
        /// Call `wake(at:)` at this uptime; `nil` for never.
        case wake(at: Seconds?)
    }

    /// What Home Assistant was told last, since the start.
    private enum Told: Equatable {
        case nothing
        /// A position, and the state of a tracker there.
        case position(Coordinate, state: String)
        case place(Place.Target)
    }

    /// Seconds for which a place that contradicts the receiver must be shown.
    static let doubt: Seconds = 60
    /// Seconds after the start in which gpsd may still say that it has a receiver.
    static let grace: Seconds = 10
    /// Seconds until a place that could not be stored is told again.
    static let pause: Seconds = 60
    /// The state of a tracker in no zone.
    public static let awayName = "not_home"

    /// Seconds without a position after which the receiver counts as silent.
    public var silence: Seconds
    private var told = Told.nothing
    private var verdict = PlaceStage.Verdict.unknown
    private var hasReceiver = false
    private var isRegistered = false
    /// Uptime of the last position, or of the receiver's beginning.
    private var heard: Seconds?
    /// Uptime from which a contradiction is believed.
    private var doubtEnds: Seconds?
    /// Uptime before which nothing is told.
    private var notBefore: Seconds
    private var wakesAt: Seconds?

    public init(silence: Seconds, at now: Moment) {
        self.silence = silence
        notBefore = now.uptime + Self.grace
    }

    /// The receiver has a position.
    ///
    /// - Parameter state: of a tracker there.
    /// - Returns: whether the position is to be told even if it is near the last one.
    public mutating func noteFix(
        at place: Coordinate, state: String, _ now: Moment
    ) -> (isReturn: Bool, effects: [Effect]) {
        let isReturn = if case .place = told { true } else { false }
        told = .position(place, state: state)
        (hasReceiver, heard, doubtEnds) = (true, now.uptime, nil)
        return (isReturn, review(at: now))
    }

    /// gpsd has a receiver, or no receiver.
    public mutating func noteReceiver(_ isThere: Bool, at now: Moment) -> [Effect] {
        if isThere, !hasReceiver { heard = now.uptime }
        hasReceiver = isThere
        return review(at: now)
    }

    /// The zones are others: the last position has this state.
    public mutating func correct(state: String, at now: Moment) -> [Effect] {
        if case .position(let place, _) = told { told = .position(place, state: state) }
        return review(at: now)
    }

    /// The networks show something else.
    public mutating func note(_ verdict: PlaceStage.Verdict, at now: Moment) -> [Effect] {
        (self.verdict, doubtEnds) = (verdict, nil)
        return review(at: now)
    }

    /// There is a registration, or no registration; `isAnother`: which was told nothing so far.
    public mutating func noteRegistration(
        _ isThere: Bool, isAnother: Bool, at now: Moment
    ) -> [Effect] {
        isRegistered = isThere
        if isAnother { told = .nothing }
        return review(at: now)
    }

    /// The place that was told did not reach Home Assistant as news.
    public mutating func forgetPlace(at now: Moment) -> [Effect] {
        if case .place = told { told = .nothing }
        return review(at: now)
    }

    /// The place could not be stored.
    public mutating func notStored(at now: Moment) -> [Effect] {
        if case .place = told { told = .nothing }
        notBefore = now.uptime + Self.pause
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
        if isRegistered, let target, contradicts(target) {
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
        let quiet = hasReceiver ? heard.map { $0 + silence } ?? 0 : 0
        let earliest = max(notBefore, quiet)
        if now.uptime < earliest { return earliest }
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
    /// new. Another network is not home, and may be in any other zone: it contradicts a position at
    /// home alone.
    private func contradicts(_ target: Place.Target) -> Bool {
        switch (told, target) {
        case (.nothing, .zone(Self.awayName)): !hasReceiver
        case (.nothing, _): true
        case (.place(let told), _): told != target
        case (.position(_, let state), .zone(Self.awayName)): state == PlaceStage.homeName
        case (.position(_, let state), .zone(let name)): state != name
        case (.position(let place, _), .point(let centre, let accuracy)):
            Geodesy.distance(place, centre) > accuracy
        }
    }
}
