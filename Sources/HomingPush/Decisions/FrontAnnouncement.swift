public import HomingBase

/// Decides when the front is told the token to which it forwards (`RelayPath.forward`).
///
/// A front is reached at home only, so most tries elsewhere fail. A front that does not know the
/// present token is told at once. After a failure the next try comes a minute later, then ever more
/// rarely, down to once an hour. Another network makes the next try due a minute after the last
/// one. A front that knows the token is told again once a day, at an occasion: its answer may hold
/// a new token of its own.
public struct FrontAnnouncement: Equatable, Sendable {
    public enum Event: Equatable, Sendable {
        /// The present token is one that the front does not know.
        case changed
        /// Another network.
        case networkChanged
        /// Whether the tokens may travel to the front on this network.
        case permitted(Bool)
        /// The process is awake anyway.
        case occasion
        /// A person waits for the front's answer.
        case asked
        /// The time of `nextWake` has come.
        case wake
        case sleep
        case woke
        /// The outcome of a try.
        case answered(Outcome)
    }

    public enum Outcome: Equatable, Sendable {
        case told
        /// The front was told a token that is no longer the present one.
        case outdated
        case unreachable
        /// The front refuses a token. Another try soon would fail too.
        case refused
    }

    /// Seconds between two tries at least.
    static let pause: Seconds = 60
    /// Seconds between two tries at most, as long as the front does not know the token.
    static let longPause: Seconds = 3600
    /// Seconds after which a front that knows the token is told again.
    static let day: Seconds = 86_400

    /// Seconds since 1970 at which the front was last told; `nil` as long as it does not know the token.
    private var toldAt: Seconds?
    private var pacer = Pacer(.doubling(first: pause, longest: longPause))
    /// Uptime of the last try.
    private var lastTry: Seconds?
    private var isUnderWay = false
    private var isAsleep = false
    /// Whether the tokens may travel to the front on this network.
    public private(set) var isPermitted = true

    /// - Parameter toldAt: seconds since 1970 at which the front was last told the present token; `nil`
    ///   if the front does not know that token.
    public init(toldAt: Seconds?) { self.toldAt = toldAt }

    /// Whether the front is to be told now; `answered` follows.
    public mutating func handle(_ event: Event, at now: Moment) -> Bool {
        switch event {
        case .changed:
            toldAt = nil
            pacer.succeeded()
        case .networkChanged: pacer.succeeded()
        case .permitted(let isPermitted):
            if isPermitted, !self.isPermitted { pacer.succeeded() }
            self.isPermitted = isPermitted
        case .occasion, .asked, .wake: break
        case .sleep: isAsleep = true
        case .woke:
            isAsleep = false
            pacer.succeeded()
        case .answered(let outcome): answered(outcome, at: now)
        }
        guard !isAsleep, isPermitted, !isUnderWay, event == .asked || isDue(at: now) else {
            return false
        }
        isUnderWay = true
        lastTry = now.uptime
        return true
    }

    /// Uptime at which `wake` has to come at the latest; `nil` if nothing is to come.
    public var nextWake: Seconds? {
        isAsleep || !isPermitted || isUnderWay || toldAt != nil ? nil : notBefore
    }

    private var notBefore: Seconds {
        max(pacer.notBefore, lastTry.map { $0 + Self.pause } ?? 0)
    }

    /// The clock may have been set meanwhile, to whatever time.
    private func isDue(at now: Moment) -> Bool {
        let isWanted = toldAt.map { abs(now.unixTime - $0) >= Self.day } ?? true
        return isWanted && now.uptime >= notBefore
    }

    private mutating func answered(_ outcome: Outcome, at now: Moment) {
        isUnderWay = false
        switch outcome {
        case .told:
            toldAt = now.unixTime
            pacer.succeeded()
        case .outdated: pacer.succeeded()
        case .unreachable: pacer.failed(at: now)
        case .refused:
            pacer.slowDown()
            pacer.failed(at: now)
        }
    }
}
