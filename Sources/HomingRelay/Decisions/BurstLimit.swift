internal import HomingBase

/// Limits the rate of events for each of many keys, in bounded memory: a burst, and then a steady
/// rate.
///
/// Keeps one time for each key: the time at which all admitted events would be done at the steady
/// rate. A key without events for `burst / rate` seconds needs no memory.
struct BurstLimit<Key: Hashable & Sendable>: Sendable {
    /// Seconds: times are added up, and rounded each time.
    private static var rounding: Seconds { 1e-6 }

    private let burst: Int
    private let rate: Double
    private let capacity: Int
    private var began: Seconds = -.infinity
    private var young: [Key: Seconds] = [:]
    private var old: [Key: Seconds] = [:]

    /// - Parameters:
    ///   - burst: how many may come at once; 0 for any number.
    ///   - rate: how many may come in a second after that.
    ///   - capacity: keys of a period. Further keys are not limited, so that an owner of many keys
    ///     cannot shut out all others.
    init(burst: Int, rate: Double, capacity: Int = 65_536) {
        self.burst = burst
        self.rate = rate
        self.capacity = capacity
    }

    /// Keys that are remembered.
    var size: Int { young.count + old.count }

    /// Whether another event of that key is admitted; if so, counts the event.
    ///
    /// - Parameter now: uptime.
    mutating func admits(_ key: Key, at now: Seconds) -> Bool {
        guard burst > 0 else { return true }
        turn(at: now)
        let done = max(now, young[key] ?? old[key] ?? now)
        guard done - now <= Double(burst - 1) / rate + Self.rounding else { return false }
        guard young[key] != nil || young.count < capacity else { return true }
        young[key] = done + 1 / rate
        return true
    }

    /// After a period without anything a key has all of its burst again.
    private mutating func turn(at now: Seconds) {
        let period = Double(burst) / rate
        guard now - began >= period else { return }
        old = now - began < 2 * period ? young : [:]
        began = now
        young = [:]
    }
}
