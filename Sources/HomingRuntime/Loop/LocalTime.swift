internal import Glibc
public import HomingBase

extension CalendarTime {
    /// The time of this machine's zone.
    ///
    /// - Parameter time: seconds since 1970.
    public init(local time: Seconds) {
        // Within the years that every calendar of C can hold.
        let bounded = time.isFinite ? min(max(time, 0), 253_402_300_799) : 0
        var (seconds, parts) = (time_t(bounded.rounded(.down)), tm())
        // The zone may be another than before: a van crosses a border.
        tzset()
        localtime_r(&seconds, &parts)
        self.init(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
            secondOfDay: Int(parts.tm_hour) * 3600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec))
    }
}
