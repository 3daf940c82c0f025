internal import CGLib

/// A time as people write it on a command line.
public enum TimeArgument {
    /// Forms of a time that are taken, for a hint.
    public static let forms =
        "2h, 90min, 7d, today, yesterday, 2026-11-21, 2026-11-21T08:00 or 2026-11-21T08:00Z"

    private static let units: [(name: String, seconds: Double)] = [
        ("min", 60), ("s", 1), ("h", 3600), ("d", 86_400), ("w", 604_800),
    ]

    /// Seconds since 1970; `nil` if the text is no time. `2h` is two hours before now; days begin at
    /// midnight where this machine is.
    ///
    /// - Parameter now: seconds since 1970.
    public static func parse(_ text: String, now: Double) -> Double? {
        switch text {
        case "now": return now
        case "today": return midnight(of: now, daysBefore: 0)
        case "yesterday": return midnight(of: now, daysBefore: 1)
        default: return before(now, text) ?? date(text)
        }
    }

    private static func before(_ now: Double, _ text: String) -> Double? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let count = Double(text.dropLast(unit.name.count)), count >= 0, count.isFinite
        else { return nil }
        return now - count * unit.seconds
    }

    /// ISO 8601; without a time it is midnight, without an offset local.
    private static func date(_ text: String) -> Double? {
        let whole = text.contains("T") ? text : "\(text)T00:00:00"
        let time = whole.drop { $0 != "T" }.prefix { !"Z+-".contains($0) }
        // GLib wants seconds.
        let missing = time.count { $0 == ":" } == 1 ? ":00" : ""
        let zone = whole.dropFirst(whole.count - whole.drop { $0 != "T" }.count + time.count)
        let complete = whole.dropLast(zone.count) + missing + zone
        let local = g_time_zone_new_local()
        defer { g_time_zone_unref(local) }
        guard let date = g_date_time_new_from_iso8601(String(complete), local) else { return nil }
        defer { g_date_time_unref(date) }
        return Double(g_date_time_to_unix(date))
    }

    private static func midnight(of now: Double, daysBefore days: Int32) -> Double? {
        guard now.isFinite, abs(now) < 1e11,
            let moment = g_date_time_new_from_unix_local(gint64(now))
        else { return nil }
        defer { g_date_time_unref(moment) }
        guard let day = g_date_time_add_days(moment, -days) else { return nil }
        defer { g_date_time_unref(day) }
        let start = g_date_time_new_local(
            g_date_time_get_year(day), g_date_time_get_month(day),
            g_date_time_get_day_of_month(day), 0, 0, 0)
        guard let start else { return nil }
        defer { g_date_time_unref(start) }
        return Double(g_date_time_to_unix(start))
    }
}
