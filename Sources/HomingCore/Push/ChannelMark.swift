/// Notices another daemon that uses our registration while this one waits for notifications.
///
/// Home Assistant hands notifications to whoever subscribed last and tells the other nothing. So a run
/// of the daemon puts a mark of its own into the registration, where Home Assistant keeps it, and
/// looks at times whether it stands there still. Another one in its place is another daemon's; one
/// that a restored backup brings back comes once. The mark is then put there anew, so that the other
/// daemon finds it as well. The channel itself is left alone.
public struct ChannelMark: Sendable {
    public enum Step: Equatable, Sendable {
        /// Put `text` into the registration; `wrote` follows.
        case write
        /// Ask which mark stands there; `saw` follows.
        case look
    }

    /// Seconds from the channel's opening to the first mark: a short run leaves none.
    static let patience: Seconds = 60
    /// Seconds between two looks, after another's mark, and after a step that came to nothing.
    static let interval: Seconds = 3600
    static let quickInterval: Seconds = 600
    static let pause: Seconds = 900
    /// Marks of others in a row after which looks are an hour apart again.
    static let quickLimit = 6
    /// Seconds between two looks that somebody asks for.
    static let askedSpacing: Seconds = 10

    /// This run's mark.
    public let text: String
    private var isUnderWay = false
    private var isWritten = false
    private var strange = 0
    /// Uptimes.
    private var due: Seconds?
    private var lastStep: Seconds?

    /// - Parameter text: that no other run has.
    public init(text: String) { self.text = text }

    /// The mark that Home Assistant was told; `nil` before it was.
    public var told: String? { isWritten || isUnderWay ? text : nil }

    /// What to do now, while the channel is open.
    public mutating func step(at now: Moment) -> Step? {
        let due = due ?? now.uptime + Self.patience
        self.due = due
        guard !isUnderWay, now.uptime >= due else { return nil }
        isUnderWay = true
        lastStep = now.uptime
        return isWritten ? .look : .write
    }

    /// Uptime of the next step; `nil` while one is under way or none is planned.
    public var nextStep: Seconds? { isUnderWay ? nil : due }

    /// Somebody wants to know now.
    public mutating func ask(at now: Moment) {
        guard lastStep.map({ now.uptime >= $0 + Self.askedSpacing }) ?? true else { return }
        due = now.uptime
    }

    /// - Parameter isDone: whether Home Assistant took it.
    public mutating func wrote(_ isDone: Bool, at now: Moment) {
        isUnderWay = false
        isWritten = isDone
        let isQuick = (1...Self.quickLimit).contains(strange)
        due =
            now.uptime
            + (isDone ? isQuick ? Self.quickInterval : Self.interval : Self.pause)
    }

    /// The mark that stands there; without one somebody has put something else in its place.
    ///
    /// - Returns: whether it is another's.
    public mutating func saw(_ mark: String?, at now: Moment) -> Bool {
        isUnderWay = false
        guard mark != text else {
            strange = 0
            due = now.uptime + Self.interval
            return false
        }
        strange += 1
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
