public import HomingBase

/// Gives a time to what a receiver without a date says.
///
/// Some receivers tell the time of day only, or send no sentence that has a date; gpsd then reports
/// no time at all. Where this machine's clock is set, the time of day is completed by its date. A
/// report without even that is stamped on arrival, and only the last of a burst is used: an outage
/// of the line between receiver and gpsd brings minutes of reports at once.
public struct ReceiverTime: Sendable {
    public enum Effect: Equatable, Sendable {
        /// Judge this report now.
        case consider(PositionReport)
        /// Call `timer(at:)` at this uptime.
        case wake(at: Seconds)
    }

    /// Seconds without a date after which the receiver counts as one without dates: gpsd leaves the
    /// date out of the first report after a fix, and of the first report of an epoch.
    static let patience: Seconds = 10
    /// Seconds that two clocks may differ.
    static let tolerance: Seconds = 10
    private static let day: Seconds = 86_400

    /// Uptime since which no report had a date.
    private var undatedSince: Seconds?
    /// Time of the clock at uptime 0, by the last time at which a dated fix agreed with the clock.
    private var provenOffset: Seconds?
    private var burst = ReportBurst()

    public init() {}

    /// Takes a report.
    ///
    /// - Parameter isClockSet: whether something else vouches for this machine's clock.
    public mutating func stampReport(
        _ report: PositionReport, isClockSet: @autoclosure () -> Bool, at now: Moment
    ) -> [Effect] {
        guard report.mode >= .twoDimensional else { return [.consider(report)] }
        if let time = report.time {
            undatedSince = nil
            burst = ReportBurst()
            if abs(time - now.unixTime) <= Self.tolerance {
                provenOffset = now.unixTime - now.uptime
            }
            return [.consider(report)]
        }
        let since = undatedSince ?? now.uptime
        undatedSince = since
        guard now.uptime - since >= Self.patience, isProven(now) || isClockSet() else {
            return [.consider(report)]
        }
        var stamped = report
        if let timeOfDay = report.timeOfDay {
            stamped.time = Self.nearest(timeOfDay, to: now.unixTime)
            stamped.timeSource = .timeOfDay
            return [.consider(stamped)]
        }
        stamped.time = now.unixTime
        stamped.timeSource = .arrival
        return burst.addReport(stamped, at: now)
    }

    /// The time of a `wake` has come.
    public mutating func timer(at now: Moment) -> [Effect] { burst.timer(at: now) }

    /// A dated fix has agreed with the clock, and nobody has set it since.
    private func isProven(_ now: Moment) -> Bool {
        provenOffset.map { abs(now.unixTime - now.uptime - $0) <= Self.tolerance } ?? false
    }

    /// The moment with this time of day that is nearest to another.
    static func nearest(_ timeOfDay: Seconds, to time: Seconds) -> Seconds {
        let days = ((time - timeOfDay) / day).rounded()
        return days * day + timeOfDay
    }
}
