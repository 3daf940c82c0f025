internal import HomingBase

/// Filter that passes on the last of the reports that come together.
///
/// A report is passed on after half a second without another report. Of up to twenty reports in a
/// second the last one is passed on each second: the receiver is fast. More reports are a burst: its
/// last report is passed on when the burst is over.
struct ReportBurst: Sendable {
    /// Seconds without another report after which the last one stands.
    static let quiet: Seconds = 0.5
    /// Seconds after which a stream is told from a burst.
    static let window: Seconds = 1
    /// Reports in that time: no receiver without a date is faster.
    static let fastest = 20

    private var last: PositionReport?
    /// Uptimes of the last report, and of the first in this window.
    private var arrived: Seconds = 0
    private var began: Seconds = 0
    private var count = 0

    mutating func addReport(_ report: PositionReport, at now: Moment) -> [ReceiverTime.Effect] {
        let isFirst = last == nil
        last = report
        arrived = now.uptime
        if isFirst { began = now.uptime }
        count = isFirst ? 1 : count + 1
        return isFirst ? [.wake(at: now.uptime + Self.quiet)] : timer(at: now)
    }

    mutating func timer(at now: Moment) -> [ReceiverTime.Effect] {
        guard let report = last else { return [] }
        let isQuiet = now.uptime - arrived >= Self.quiet
        let isOver = now.uptime - began >= Self.window
        if isQuiet || (isOver && count <= Self.fastest) {
            last = nil
            return [.consider(report)]
        }
        if isOver {
            began = now.uptime
            count = 0
        }
        return [.wake(at: arrived + Self.quiet)]
    }
}
