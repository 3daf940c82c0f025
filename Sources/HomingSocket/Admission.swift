internal import Glibc

/// Which connections may be open at one time, so that no user of this machine can shut out those
/// who may do everything or whose desktop shows notifications, nor one stranger all others.
struct Admission {
    /// What somebody is to this daemon.
    enum Standing: Equatable {
        /// May do everything.
        case trusted
        /// Sits at the machine.
        case present
        case stranger
    }

    static let maxTrusted = 24
    static let maxPresent = 8
    static let maxStrangers = 8
    /// Connections of one user, but for the trusted.
    static let maxPerUser = 4

    private var trusted = 0
    private var present: [uid_t: Int] = [:]
    private var strangers: [uid_t: Int] = [:]

    /// Whether a connection of this user may stay; if so it is counted until `leave`.
    mutating func enter(_ user: uid_t, _ standing: Standing) -> Bool {
        switch standing {
        case .trusted:
            guard trusted < Self.maxTrusted else { return false }
            trusted += 1
            return true
        case .present: return Self.enter(user, &present, limit: Self.maxPresent)
        case .stranger: return Self.enter(user, &strangers, limit: Self.maxStrangers)
        }
    }

    private static func enter(
        _ user: uid_t, _ counts: inout [uid_t: Int], limit: Int
    ) -> Bool {
        let own = counts[user, default: 0]
        guard own < maxPerUser, counts.values.reduce(0, +) < limit else { return false }
        counts[user] = own + 1
        return true
    }

    /// A connection that was let in has ended.
    mutating func leave(_ user: uid_t, _ standing: Standing) {
        switch standing {
        case .trusted: trusted -= 1
        case .present: Self.leave(user, &present)
        case .stranger: Self.leave(user, &strangers)
        }
    }

    private static func leave(_ user: uid_t, _ counts: inout [uid_t: Int]) {
        let left = counts[user, default: 0] - 1
        counts[user] = left > 0 ? left : nil
    }
}
