internal import HomingBase

/// How far two clocks are apart, in people's words.
enum Lag {
    /// `45 s`, `3 min`, `2 h`, `20 d`.
    static func text(_ seconds: Seconds) -> String {
        let whole = Int(min(seconds, 1e12))
        return switch whole {
        case ..<120: "\(whole) s"
        case ..<7200: "\(whole / 60) min"
        case ..<172_800: "\(whole / 3600) h"
        default: "\(whole / 86400) d"
        }
    }
}
