internal import Glibc

/// Which connections may be open at one time, so that no user of this machine can shut out those
/// who may do everything, nor one stranger all others.
struct Admission {
    static let maxTrusted = 24
    static let maxStrangers = 8
    static let maxPerStranger = 4

    private var trusted = 0
    private var strangers: [uid_t: Int] = [:]

    /// Whether a connection of this user may stay; if so it is counted until `leave`.
    mutating func enter(_ user: uid_t, isTrusted: Bool) -> Bool {
        if isTrusted {
            guard trusted < Self.maxTrusted else { return false }
            trusted += 1
        } else {
            let own = strangers[user, default: 0]
            guard own < Self.maxPerStranger,
                strangers.values.reduce(0, +) < Self.maxStrangers
            else { return false }
            strangers[user] = own + 1
        }
        return true
    }

    /// A connection that was let in has ended.
    mutating func leave(_ user: uid_t, isTrusted: Bool) {
        if isTrusted {
            trusted -= 1
        } else {
            let left = strangers[user, default: 0] - 1
            strangers[user] = left > 0 ? left : nil
        }
    }
}
