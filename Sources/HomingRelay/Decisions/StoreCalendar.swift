internal import HomingBase
internal import HomingRelayProtocol

/// The date by which a store forgets old rows: the clock's date, unless the clock has leapt ahead.
///
/// The date goes at most a day forward at a start, and a day for each hour that passes. So a clock that
/// leaps ahead by a year, at a start or later, makes no store forget a revoked token or a count of the
/// day, if the clock is set right within days.
struct StoreCalendar: Sendable {
    private static let day: Int64 = 86_400_000
    /// Factor by which the date may run faster than time.
    private static let haste: Seconds = 24
    /// 2026-01-01. An earlier date was written before the machine's clock was set.
    private static let beginning: Int64 = 1_767_225_600_000

    /// The latest date that was possible at `lookedAt`; `nil` if unknown.
    private var latest: Int64?
    /// Uptime.
    private var lookedAt: Seconds

    /// - Parameters:
    ///   - last: the date by which the store forgot last; milliseconds since 1970.
    ///   - now: the time of the start.
    init(last: Int64?, at now: Moment) {
        latest = last.flatMap {
            $0 < Self.beginning ? nil : RelayTime.bounded(RelayTime.bounded($0) + Self.day)
        }
        lookedAt = now.uptime
    }

    /// The date: milliseconds since 1970.
    ///
    /// - Parameter now: this machine's uptime, and the time of the store's clock.
    mutating func date(at now: Moment) -> Int64 {
        let present = RelayTime.milliseconds(now.unixTime)
        let elapsed = RelayTime.milliseconds(max(0, now.uptime - lookedAt) * Self.haste)
        let date = latest.map { min(present, RelayTime.bounded($0 + elapsed)) } ?? present
        (latest, lookedAt) = (date, now.uptime)
        return date
    }
}
