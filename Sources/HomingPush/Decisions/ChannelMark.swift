public import HomingBase

/// Notices another daemon that uses our registration.
///
/// Home Assistant sends notifications to the last subscriber and tells the earlier subscriber
/// nothing. Each run of the daemon writes its own mark into the registration and reads the mark
/// again later. A different mark was written by another daemon or by a restored backup. The daemon
/// then writes its own mark again, so that the other daemon notices too. The channel stays as it is.
public struct ChannelMark: Sendable {
    public enum Step: Equatable, Sendable {
        /// Write `text` into the registration; `wrote` follows.
        case write
        /// Read the mark in the registration; `saw` follows.
        case look
    }

    /// Seconds from the channel's opening to the first mark: a short run leaves no mark.
    static let patience: Seconds = 60
    /// Seconds between two looks.
    static let interval: Seconds = 3600
    /// Seconds between two looks for a while after a foreign mark.
    static let quickInterval: Seconds = 600
    /// Seconds after a step without an answer.
    static let pause: Seconds = 900
    /// Seconds for which looks are quick after the first of some foreign marks.
    static let quickTime: Seconds = 5400
    /// Seconds without a foreign mark after which the next one is a first one.
    static let forgetTime: Seconds = 6 * 3600
    /// Seconds between two looks that a person asks for.
    static let askedSpacing: Seconds = 10

    /// This run's mark.
    public let text: String
    private var isUnderWay = false
    private var isWritten = false
    /// Uptimes.
    private var firstForeign: Seconds?
    private var lastForeign: Seconds?
    private var due: Seconds?
    private var lastStep: Seconds?

    /// - Parameter text: unique to this run.
    public init(text: String) { self.text = text }

    /// The mark to send with every update of the registration; `nil` before the first write.
    public var told: String? { isWritten || isUnderWay ? text : nil }

    /// Returns the step to take now, while the channel is open.
    public mutating func step(at now: Moment) -> Step? {
        let due = due ?? now.uptime + Self.patience
        self.due = due
        guard !isUnderWay, now.uptime >= due else { return nil }
        isUnderWay = true
        lastStep = now.uptime
        return isWritten ? .look : .write
    }

    /// Uptime of the next step; `nil` while a step is under way or no step is planned.
    public var nextStep: Seconds? { isUnderWay ? nil : due }

    /// Brings the next look forward to now, for `homing doctor`.
    public mutating func requestLook(at now: Moment) {
        guard lastStep.map({ now.uptime >= $0 + Self.askedSpacing }) ?? true else { return }
        due = now.uptime
    }

    /// - Parameter isDone: whether Home Assistant took it.
    public mutating func wrote(_ isDone: Bool, at now: Moment) {
        isUnderWay = false
        isWritten = isDone
        due = now.uptime + (isDone ? interval(at: now) : Self.pause)
    }

    /// Seconds to the next look.
    private func interval(at now: Moment) -> Seconds {
        let isQuick = firstForeign.map { now.uptime - $0 < Self.quickTime } ?? false
        return isQuick ? Self.quickInterval : Self.interval
    }

    /// Takes the mark in the registration; `nil` if the registration holds no mark.
    ///
    /// - Returns: whether the mark is foreign.
    public mutating func saw(_ mark: String?, at now: Moment) -> Bool {
        isUnderWay = false
        guard mark != text else {
            due = now.uptime + interval(at: now)
            return false
        }
        let isFirst = lastForeign.map { now.uptime - $0 > Self.forgetTime } ?? true
        if isFirst { firstForeign = now.uptime }
        lastForeign = now.uptime
        isWritten = false
        due = now.uptime
        return true
    }

    /// Home Assistant did not answer.
    public mutating func failed(at now: Moment) {
        isUnderWay = false
        due = now.uptime + Self.pause
    }
}
