public import HomingBase

/// Decides what to do while Home Assistant shows no device tracker of this machine.
///
/// A deleted tracker returns when its config entry is reloaded. Homing asks for the reload once for
/// each deletion, and at most once an hour. A disabled tracker is left alone.
public struct TrackerRepair: Equatable, Sendable {
    public enum Absence: Equatable, Sendable {
        /// The tracker is there, or the reason for its absence is not known yet.
        case unknown
        /// Tracker that is disabled, or not loaded yet.
        case present
        case deleted(Remedy)
    }

    /// The state of the reload.
    public enum Remedy: Equatable, Sendable {
        /// Reload that is under way, or whose effect has not been seen yet.
        case underWay
        /// Home Assistant refused.
        case refused
        /// The tracker did not come back.
        case unsuccessful
        /// Lack of a reload: the config entry is unknown, or the last reload is less than an
        /// hour old.
        case notAsked
    }

    public enum Presence: Sendable {
        /// Positions wait for a tracker.
        case missing
        /// Home Assistant has shown the tracker.
        case seen
        /// Home Assistant has not been reached since.
        case unknown
    }

    public enum Outcome: Sendable {
        /// Reload that was done, or may have been.
        case asked
        case refused
        case notReached
    }

    public enum Event: Sendable {
        case tracker(Presence)
        /// The answer to `look`; `nil` if there was none.
        case found(Found?)
        /// Result of `reload`.
        case reloaded(Outcome)
    }

    public enum Found: Equatable, Sendable {
        case present
        case deleted(configEntry: String?)
    }

    /// Question to Home Assistant.
    public enum Question: Equatable, Sendable {
        /// Look at what the registry has of the tracker; `found` follows.
        case look
        /// Reload this config entry; `reloaded` follows.
        case reload(String)
    }

    public enum Effect: Equatable, Sendable {
        case ask(Question)
        /// The tracker may be back: look for it.
        case lookForTracker
    }

    /// Seconds between two reloads at the least, and between two looks while nothing changes.
    static let pause: Seconds = 3600
    /// Seconds from a reload, or a question without an answer, to the next look.
    static let soon: Seconds = 60

    private enum Step { case idle, looking, reloading }

    public private(set) var absence = Absence.unknown
    private var step = Step.idle
    private var isMissing = false
    /// Whether a reload was asked for since the tracker was last there.
    private var hasReloaded = false
    /// Uptimes.
    private var lastReload: Seconds?
    private var nextLook: Seconds = 0

    public init() {}

    /// Whether the tracker may be back in a moment.
    public var isUnderWay: Bool { step != .idle }

    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        switch event {
        case .tracker(let presence): return tracker(presence, now)
        case .found(let found):
            guard step == .looking else { return [] }
            step = .idle
            return isMissing ? self.found(found, now) : []
        case .reloaded(let outcome):
            guard step == .reloading else { return [] }
            step = .idle
            return reloaded(outcome, now)
        }
    }

    private mutating func tracker(_ presence: Presence, _ now: Moment) -> [Effect] {
        isMissing = presence == .missing
        if presence == .seen {
            absence = .unknown
            hasReloaded = false
            nextLook = 0
        }
        guard isMissing, step == .idle, now.uptime >= nextLook else { return [] }
        step = .looking
        return [.ask(.look)]
    }

    private mutating func found(_ found: Found?, _ now: Moment) -> [Effect] {
        nextLook = now.uptime + (found == nil ? Self.soon : Self.pause)
        guard case .deleted(let configEntry)? = found else {
            if found == .present { absence = .present }
            return []
        }
        if hasReloaded {
            if absence != .deleted(.refused) { absence = .deleted(.unsuccessful) }
            return []
        }
        let isTooSoon = lastReload.map { now.uptime < $0 + Self.pause } ?? false
        guard let configEntry, !isTooSoon else {
            absence = .deleted(.notAsked)
            return []
        }
        absence = .deleted(.underWay)
        step = .reloading
        hasReloaded = true
        lastReload = now.uptime
        return [.ask(.reload(configEntry))]
    }

    private mutating func reloaded(_ outcome: Outcome, _ now: Moment) -> [Effect] {
        switch outcome {
        case .asked:
            nextLook = now.uptime + Self.soon
            return [.lookForTracker]
        case .refused:
            if isMissing { absence = .deleted(.refused) }
        case .notReached:
            // Nothing was done: this counts as no reload.
            hasReloaded = false
            lastReload = nil
            absence = .unknown
            nextLook = now.uptime + Self.soon
        }
        return []
    }
}
