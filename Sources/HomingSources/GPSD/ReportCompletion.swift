internal import HomingBase
internal import HomingLocation

/// Other recent data of gpsd, for reports that lack a time or an accuracy.
struct ReportCompletion {
    /// Seconds for which the satellites' places in the sky say how good a fix is.
    private static let skyAge: Seconds = 30
    /// Seconds from a sentence to the report that gpsd makes of it.
    private static let sentenceAge: Seconds = 2
    /// Reports without a time after which the receiver's sentences are asked for: gpsd leaves it out
    /// of the first after a fix, and of the first of an epoch.
    private static let undatedReports = 5

    /// Uptime of the newest HDOP.
    private var hdopAt: Seconds?
    private var timeOfDay: (value: Seconds, uptime: Seconds)?
    private var undated = 0
    private var hasAsked = false

    /// A new connection: gpsd passes on no sentences until it is asked.
    mutating func connected() { hasAsked = false }

    mutating func heardHDOP(at uptime: Seconds) { hdopAt = uptime }

    mutating func noteTimeOfDay(_ value: Seconds, at uptime: Seconds) {
        timeOfDay = (value, uptime)
    }

    /// Whether gpsd is to be asked for the receiver's sentences now.
    mutating func wantsSentences(after report: PositionReport) -> Bool {
        guard report.mode >= .twoDimensional else { return false }
        undated = report.time == nil ? undated + 1 : 0
        guard undated >= Self.undatedReports, !hasAsked else { return false }
        hasAsked = true
        return true
    }

    /// The report with what it lacks and was told beside it.
    ///
    /// - Parameter hdop: reads the newest HDOP.
    func complete(
        _ report: PositionReport, at uptime: Seconds, hdop: () -> Double?
    ) -> PositionReport {
        guard report.mode >= .twoDimensional, report.time == nil || report.accuracy == nil else {
            return report
        }
        var report = report
        if report.accuracy == nil, let hdopAt, uptime - hdopAt <= Self.skyAge {
            report.hdop = hdop()
        }
        if let timeOfDay, uptime - timeOfDay.uptime <= Self.sentenceAge {
            report.timeOfDay = timeOfDay.value
        }
        return report
    }
}
