public import HomingBase
public import HomingLocation

/// Makes one location out of several sources: the receiver, the networks, a look-up service. A worse
/// source is used only while the better ones say nothing, and only where it says something new.
///
/// A receiver that is back is used at once. A place that contradicts the receiver must be shown for a
/// minute. A look-up that contradicts what was told must be seen twice. A look-up is used no more once
/// the better source said the same before and after.
public struct SourceChoice: Equatable, Sendable {
    public enum Effect: Equatable, Sendable {
        /// Tell Home Assistant of the place.
        case tell(Place.Target)
        /// Tell Home Assistant of the position that was looked up.
        case tellLookUp(Fix)
        /// Whether a look-up would be used now.
        case wantLookUps(Bool)
        /// Look up again soon: only a second look-up is believed.
        case doubtLookUp
        /// Call `wake(at:)` at this uptime; `nil` for never.
        case wake(at: Seconds?)
    }

    /// Report that Home Assistant got last, since the start.
    private enum Told: Equatable {
        case nothing
        /// A position, and the state of a tracker there.
        case position(Coordinate, state: String)
        case place(Place.Target)
        /// A position that was looked up, and the state of a tracker there.
        case lookUp(Circle, state: String)
    }

    /// Seconds for which a place that contradicts the receiver must be shown.
    static let doubt: Seconds = 60
    /// Seconds after the start in which gpsd may still say that it has a receiver.
    static let grace: Seconds = 10
    /// Seconds until a place that could not be stored is told again.
    static let pause: Seconds = 60
    /// Metres within which the receiver says one place before and after its silence.
    static let sameSpot = 500.0
    /// Seconds of silence after which a better source no longer shows that a look-up was wrong: the machine
    /// may have been there, and be back.
    static let shortSilence: Seconds = 3600
    /// The state of a tracker in no zone.
    public static let awayName = "not_home"

    /// Seconds without a position after which the receiver counts as silent.
    public var silence: Seconds
    /// Whether there is a look-up service.
    public var hasLookUps = false
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
    private var wantsLookUps = false
    private var trust = LookUpTrust()
    /// Location that the receiver said last, and the place that was reported last.
    private var lastPosition: Coordinate?
    private var lastPlace: Place.Target?
    /// Uptime at which the networks last showed a place.
    private var lastShown: Seconds?
    /// Whether a look-up is told even if it says nothing new.
    private var isAsked = false

    public init(silence: Seconds, at now: Moment) {
        self.silence = silence
        notBefore = now.uptime + Self.grace
    }

    /// Source of the location that was reported to Home Assistant last.
    public var source: PositionSource? {
        switch told {
        case .nothing: nil
        case .position: .gpsd
        case .place: .place
        case .lookUp: .geoclue
        }
    }

    /// The receiver has a position.
    ///
    /// - Parameter state: of a tracker there.
    /// - Returns: whether the position is to be told even if it is near the last one.
    public mutating func noteFix(
        at place: Coordinate, state: String, _ now: Moment
    ) -> (isReturn: Bool, effects: [Effect]) {
        let isReturn =
            switch told {
            case .place, .lookUp: true
            case .nothing, .position: false
            }
        if let lastPosition, Geodesy.distance(lastPosition, place) <= Self.sameSpot,
            now.uptime - (heard ?? -.infinity) <= Self.shortSilence
        {
            distrustLookUp(unlessAt: place)
        }
        (told, lastPosition) = (.position(place, state: state), place)
        (hasReceiver, heard, doubtEnds) = (true, now.uptime, nil)
        trust.forgetDoubt()
        return (isReturn, review(at: now))
    }

    /// gpsd has a receiver, or no receiver.
    public mutating func noteReceiver(_ isThere: Bool, at now: Moment) -> [Effect] {
        if isThere, !hasReceiver { heard = now.uptime }
        hasReceiver = isThere
        return review(at: now)
    }

    /// A look-up service has a position.
    ///
    /// - Parameter state: of a tracker there.
    public mutating func noteLookUp(_ fix: Fix, state: String, at now: Moment) -> [Effect] {
        let circle = Circle(fix)
        guard isRegistered, target == nil || target == .zone(Self.awayName),
            now.uptime >= quietAt, !trust.isWrong(circle)
        else { return review(at: now) }
        let worth = worth(of: circle, state)
        if worth == .doubtful, !trust.confirms(circle) { return [.doubtLookUp] + review(at: now) }
        trust.forgetDoubt()
        guard worth != .nothing || isAsked else { return review(at: now) }
        isAsked = false
        told = .lookUp(circle, state: state)
        return review(at: now) + [.tellLookUp(fix)]
    }

    /// The zones are others: the last position has this state.
    public mutating func correct(state: String, at now: Moment) -> [Effect] {
        switch told {
        case .position(let place, _): told = .position(place, state: state)
        case .lookUp(let circle, _): told = .lookUp(circle, state: state)
        case .nothing, .place: break
        }
        return review(at: now)
    }

    /// The networks show something else.
    public mutating func note(_ verdict: PlaceStage.Verdict, at now: Moment) -> [Effect] {
        if case .at = self.verdict { lastShown = now.uptime }
        // Another network was seen meanwhile.
        if verdict == .away { lastShown = nil }
        (self.verdict, doubtEnds) = (verdict, nil)
        return review(at: now)
    }

    /// Notes a registration, or its absence; `isAnother`: which was told nothing so far.
    public mutating func noteRegistration(
        _ isThere: Bool, isAnother: Bool, at now: Moment
    ) -> [Effect] {
        isRegistered = isThere
        if isAnother { (told, lastPlace) = (.nothing, nil) }
        return (isAnother && wantsLookUps ? [.doubtLookUp] : []) + review(at: now)
    }

    /// The place that was told did not reach Home Assistant in time for the map.
    public mutating func forgetPlace(at now: Moment) -> [Effect] {
        let again = takeBack()
        return again + review(at: now)
    }

    /// The place could not be stored.
    public mutating func notStored(at now: Moment) -> [Effect] {
        let again = takeBack()
        notBefore = now.uptime + Self.pause
        return again + review(at: now)
    }

    /// Home Assistant does not know what was told. A place is still shown, and a position is looked up again.
    private mutating func takeBack() -> [Effect] {
        isAsked = true
        switch told {
        case .nothing, .position: return []
        case .place:
            told = .nothing
            return []
        case .lookUp:
            told = .nothing
            return [.doubtLookUp]
        }
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
                if target == lastPlace,
                    now.uptime - (lastShown ?? -.infinity) <= Self.shortSilence
                {
                    distrustLookUp()
                }
                (told, lastPlace) = (.place(target), target)
                doubtEnds = nil
                effects.append(.tell(target))
            }
        }
        let mayLookUp =
            hasLookUps && isRegistered && (target == nil || target == .zone(Self.awayName))
        if mayLookUp, now.uptime < quietAt { next = min(next ?? .infinity, quietAt) }
        if (mayLookUp && now.uptime >= quietAt) != wantsLookUps {
            wantsLookUps.toggle()
            effects.append(.wantLookUps(wantsLookUps))
        }
        // First: what is told may fail, and set another time.
        if next != wakesAt { effects.insert(.wake(at: next), at: 0) }
        wakesAt = next
        return effects
    }

    /// Uptime from which the receiver counts as silent.
    private var quietAt: Seconds {
        max(notBefore, hasReceiver ? heard.map { $0 + silence } ?? 0 : 0)
    }

    /// Until when the place is not told yet; `nil` if the place may be told.
    private mutating func wait(at now: Moment) -> Seconds? {
        if now.uptime < quietAt { return quietAt }
        guard case .position = told else { return nil }
        let end = doubtEnds ?? now.uptime + Self.doubt
        doubtEnds = end
        return now.uptime < end ? end : nil
    }

    /// The better source says what it said before the look-up was used: the look-up was wrong.
    private mutating func distrustLookUp(unlessAt place: Coordinate? = nil) {
        guard case .lookUp(let circle, _) = told, place.map({ circle.holds($0) }) != true else {
            return
        }
        trust.distrust(circle)
    }

    private enum Worth {
        case nothing, news, doubtful
    }

    /// Returns the worth of a look-up beside the last report. A circle that holds the last location
    /// says nothing new.
    private func worth(of circle: Circle, _ state: String) -> Worth {
        switch told {
        case .nothing: return hasReceiver ? .doubtful : .news
        case .position(let place, _): return circle.holds(place) ? .nothing : .doubtful
        case .place(.zone(Self.awayName)):
            if state != PlaceStage.homeName { return .news }
            return target == nil ? .doubtful : .nothing
        case .place(.zone(let name)): return state == name ? .nothing : .doubtful
        case .place(.point(let centre, let accuracy)):
            return circle.holds(centre, within: accuracy) ? .nothing : .doubtful
        case .lookUp(let old, _): return circle.agrees(with: old) ? .nothing : .doubtful
        }
    }

    private var target: Place.Target? {
        switch verdict {
        case .unknown: nil
        case .away: .zone(Self.awayName)
        case .at(let target, _, _): target
        }
    }

    /// Whether Home Assistant would learn something. Another network is not home, and may be in any other
    /// zone: it contradicts a position at home alone.
    private func contradicts(_ target: Place.Target) -> Bool {
        switch (told, target) {
        case (.nothing, .zone(Self.awayName)): !hasReceiver
        case (.nothing, _): true
        case (.place(let told), _): told != target
        case (.position(_, let state), .zone(Self.awayName)): state == PlaceStage.homeName
        case (.position(_, let state), .zone(let name)): state != name
        case (.position(let place, _), .point(let centre, let accuracy)):
            Geodesy.distance(place, centre) > accuracy
        case (.lookUp(_, let state), .zone(Self.awayName)): state == PlaceStage.homeName
        case (.lookUp(_, let state), .zone(let name)): state != name
        case (.lookUp(let circle, _), .point(let centre, let accuracy)):
            !circle.holds(centre, within: accuracy)
        }
    }
}
