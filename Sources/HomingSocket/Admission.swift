internal import Glibc

/// Limit on the connections that may be open at one time. No user of this machine can shut out
/// those who may do everything or whose desktop shows notifications. No stranger can shut out all
/// others.
struct Admission {
    /// Standing of a user with this daemon.
    enum Standing {
        /// May do everything.
        case trusted
        /// Sits at the machine.
        case present
        case stranger

        /// Connections of all of them.
        var limit: Int {
            switch self {
            case .trusted: Admission.maxTrusted
            case .present: Admission.maxPresent
            case .stranger: Admission.maxStrangers
            }
        }
    }

    static let maxTrusted = 24
    static let maxPresent = 8
    static let maxStrangers = 8
    /// Connections of one user, but for the trusted.
    static let maxPerUser = 4

    private var counts: [Standing: [uid_t: Int]] = [:]

    /// Whether a connection of this user may stay; if so it is counted until `leave`.
    mutating func enter(_ user: uid_t, _ standing: Standing) -> Bool {
        let users = counts[standing] ?? [:]
        guard standing == .trusted || users[user, default: 0] < Self.maxPerUser,
            users.values.reduce(0, +) < standing.limit
        else { return false }
        counts[standing, default: [:]][user, default: 0] += 1
        return true
    }

    /// A connection that was let in has ended.
    mutating func leave(_ user: uid_t, _ standing: Standing) {
        let left = counts[standing, default: [:]][user, default: 0] - 1
        counts[standing]?[user] = left > 0 ? left : nil
    }
}
