/// Lengths of time in people's words.
public enum TimeSpan {
    /// Returns when something comes: `in 12 s`, or `now` for less than a second.
    public static func until(_ seconds: Seconds) -> String {
        seconds < 1 ? "now" : "in \(text(seconds))"
    }

    /// Returns a span in one unit, rounded down: `12 s`, `59 min`, `3 h`, `2 d`.
    public static func rough(_ seconds: Seconds) -> String {
        let whole = Int(max(0, min(seconds, 1e12)))
        return switch whole {
        case ..<60: "\(whole) s"
        case ..<3600: "\(whole / 60) min"
        case ..<86400: "\(whole / 3600) h"
        default: "\(whole / 86400) d"
        }
    }

    /// `12 s`, `3 min`, `2 h 5 min`, `4 d 2 h`; a negative length is 0 s.
    public static func text(_ seconds: Seconds) -> String {
        let whole = Int(max(0, min(seconds, 1e12)).rounded())
        return switch whole {
        case ..<100: "\(whole) s"
        case ..<6000: "\(whole / 60) min"
        case ..<172_800: "\(whole / 3600) h \(whole % 3600 / 60) min"
        default: "\(whole / 86400) d \(whole % 86400 / 3600) h"
        }
    }
}
