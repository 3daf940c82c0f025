public import HomingBase

/// Decides when the relay is held, when it is looked at, and when it is left alone (`[push] relay`).
///
/// `auto` holds the relay where Home Assistant's channel fails, and for two minutes after each opening
/// of that channel: Home Assistant hands over at that moment what was not confirmed. Where the channel
/// is closed by choice, `auto` looks: when the machine wakes, and every 15 minutes, or every hour under
/// thrift, or more seldom where a data budget has to last (`Looks`). While the channel is open, `auto`
/// looks once an hour. `look` never holds.
///
/// A periodic look waits for an `occasion`, when the process is awake anyway; only where none comes for
/// long, a timer wakes it.
public struct RelayAttention: Equatable, Sendable {
    /// The condition of Home Assistant's channel.
    public enum Channel: Equatable, Sendable {
        case open
        /// The channel is wanted, and is not open.
        case failing
        /// The channel is not wanted: `[push] mode`.
        case closed
        /// Lack of a network that reaches the internet: an attempt would fail.
        case offline
    }

    public enum Event: Equatable, Sendable {
        case mode(RelayMode)
        case channel(Channel)
        /// The channel was opened, perhaps in place of another one.
        case opened
        /// The pace of periodic looks is another one.
        case looks(Looks)
        case sleep
        case woke
        /// The process is awake anyway.
        case occasion
        /// The time of `nextWake` has come.
        case wake
        /// The relay was reached, and what waited there has come.
        case looked
        /// The relay was not reached.
        case failed
        /// The relay is to be held for a test of so many seconds; 0 ends it.
        case test(Seconds)
    }

    /// The pace of periodic looks.
    public enum Looks: Equatable, Sendable {
        case usual
        /// The long period, times this factor of 1 at least.
        case stretched(Double)
        /// Single look a day.
        case daily
        /// Absence of periodic looks.
        case never
    }

    public enum Wish: Equatable, Sendable {
        case none
        /// Connect, take what waits, close.
        case look
        /// Stay connected.
        case hold
    }

    /// Seconds for which the relay is held after an opening of the channel.
    static let holdAfterOpening: Seconds = 120
    /// Seconds after an opening until the relay is looked at where it is never held: Home Assistant
    /// needs a moment to hand over.
    static let lookAfterOpening: Seconds = 15
    /// Seconds between two looks.
    static let period: Seconds = 900
    static let longPeriod: Seconds = 3600
    static let longestPeriod: Seconds = 6 * 3600
    static let day: Seconds = 86_400
    /// Seconds for which a look is tried.
    static let patience: Seconds = 60

    private var mode: RelayMode
    private var channel: Channel
    private var looks = Looks.usual
    private var isAsleep = false
    // Uptimes.
    /// The end of the last look, or its giving up.
    private var lastLook: Seconds
    /// Uptime from which the relay is to be looked at, out of turn.
    private var lookFrom: Seconds?
    /// Until when the present look is tried.
    private var lookUntil: Seconds?
    private var holdUntil: Seconds = 0
    private var testUntil: Seconds = 0

    /// The relay is looked at first of all.
    public init(_ mode: RelayMode, channel: Channel, at now: Moment) {
        self.mode = mode
        self.channel = channel
        lastLook = now.uptime
        lookFrom = now.uptime
        review(at: now)
    }

    /// The connection that is wanted now.
    public func wish(at now: Moment) -> Wish {
        let isTested = testUntil > now.uptime
        if isAsleep || (mode == .off && !isTested) { return .none }
        if isTested || mode == .hold || isHeld(at: now) { return .hold }
        return lookUntil == nil ? .none : .look
    }

    private func isHeld(at now: Moment) -> Bool {
        mode == .auto && (channel == .failing || holdUntil > now.uptime)
    }

    /// Uptime at which `wake` has to come at the latest; `nil` if nothing is to come.
    public var nextWake: Seconds? {
        if isAsleep { return nil }
        var times = [testUntil, holdUntil].filter { $0 > 0 }
        if let lookUntil {
            times.append(lookUntil)
        } else if mode != .off, mode != .hold {
            if let lookFrom {
                times.append(lookFrom)
            } else if channel != .offline, looks != .never {
                times.append(due + slack)
            }
        }
        return times.min()
    }

    /// Uptime from which the next periodic look is made at an occasion.
    private var due: Seconds { lastLook + period }

    private var period: Seconds {
        switch looks {
        case .usual: channel == .open ? Self.longPeriod : Self.period
        case .stretched(let factor): min(Self.longPeriod * factor, Self.longestPeriod)
        case .daily: Self.day
        case .never: .infinity
        }
    }

    /// Seconds that a periodic look waits for an occasion.
    private var slack: Seconds { period / 4 }

    public mutating func handle(_ event: Event, at now: Moment) {
        switch event {
        case .mode(let new):
            if new != mode { lookFrom = now.uptime }
            mode = new
        case .channel(let new): change(to: new, at: now)
        case .opened: opened(at: now)
        case .looks(let looks): self.looks = looks
        case .sleep:
            isAsleep = true
            lookUntil = nil
        case .woke:
            isAsleep = false
            lookFrom = now.uptime
        case .occasion:
            if now.uptime >= due { lookFrom = lookFrom ?? now.uptime }
        case .wake:
            if now.uptime >= due + slack { lookFrom = lookFrom ?? now.uptime }
        case .looked: endLook(at: now)
        case .failed:
            // While the channel is open, once an hour is all.
            if channel == .open, lookUntil != nil { endLook(at: now) }
        case .test(let seconds): testUntil = now.uptime + seconds
        }
        review(at: now)
    }

    private mutating func change(to new: Channel, at now: Moment) {
        let old = channel
        channel = new
        guard new != old else { return }
        // What Home Assistant was not told yet it still hands over.
        if new == .closed || old == .offline { lookFrom = now.uptime }
    }

    private mutating func opened(at now: Moment) {
        switch mode {
        case .auto: holdUntil = now.uptime + Self.holdAfterOpening
        case .look: lookFrom = now.uptime + Self.lookAfterOpening
        case .hold, .off: break
        }
    }

    private mutating func endLook(at now: Moment) {
        lookUntil = nil
        lastLook = now.uptime
    }

    /// Ends a look that has reached nobody: the next one comes within the long period.
    private mutating func giveUpLook(at now: Moment) {
        endLook(at: now)
        if looks != .never { lastLook -= max(0, period - Self.longPeriod) }
    }

    /// Begins a look whose time has come, and ends what has lasted long enough.
    private mutating func review(at now: Moment) {
        if testUntil <= now.uptime { testUntil = 0 }
        if holdUntil <= now.uptime { holdUntil = 0 }
        if let lookUntil, lookUntil <= now.uptime { giveUpLook(at: now) }
        guard let from = lookFrom, from <= now.uptime, !isAsleep, mode != .off else { return }
        lookFrom = nil
        if mode == .hold || isHeld(at: now) {
            // Who holds the relay need not look.
            lastLook = now.uptime
        } else if channel != .offline {
            lookUntil = now.uptime + Self.patience
        }
    }
}
