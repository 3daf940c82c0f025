internal import HomingBase

/// Counts recent events for each of many keys, in bounded memory.
///
/// Two generations of counts are kept: that of the present period and that of the period before,
/// which fades while the present period goes on. Each period the older one is dropped.
struct RecentCounts<Key: Hashable & Sendable>: Sendable {
    private let period: Seconds
    private let capacity: Int
    private var began: Seconds = -.infinity
    private var young: [Key: Int] = [:]
    private var old: [Key: Int] = [:]

    /// - Parameter capacity: keys of a generation. More keys are not counted: a client with many
    ///   addresses could otherwise lock out all other clients.
    init(period: Seconds, capacity: Int) {
        self.period = period
        self.capacity = capacity
    }

    /// Keys that are remembered.
    var size: Int { young.count + old.count }

    /// The approximate number of events within the last period.
    ///
    /// - Parameter now: uptime.
    mutating func count(_ key: Key, at now: Seconds) -> Double {
        turn(at: now)
        let rest = max(0, 1 - (now - began) / period)
        return Double(young[key] ?? 0) + Double(old[key] ?? 0) * rest
    }

    /// Counts an event.
    mutating func add(_ key: Key, at now: Seconds) {
        turn(at: now)
        guard young[key] != nil || young.count < capacity else { return }
        young[key, default: 0] += 1
    }

    /// Takes an event back.
    mutating func takeBack(_ key: Key) {
        if let count = young[key] {
            young[key] = count > 1 ? count - 1 : nil
        } else if let count = old[key] {
            old[key] = count > 1 ? count - 1 : nil
        }
    }

    private mutating func turn(at now: Seconds) {
        guard now - began >= period else { return }
        old = now - began < 2 * period ? young : [:]
        began = old.isEmpty ? now : began + period
        young = [:]
    }
}
