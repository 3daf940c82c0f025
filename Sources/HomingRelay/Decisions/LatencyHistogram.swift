internal import HomingBase

/// Counts how long something took, in classes.
struct LatencyHistogram: Equatable, Sendable {
    /// Seconds, each the largest of its class. The last is the time after which the relay answers 503.
    static let bounds: [Seconds] = [
        0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2,
    ]

    /// Counts by class.
    private(set) var counts = [Int](repeating: 0, count: Self.bounds.count)
    /// With those longer than the last bound.
    private(set) var total = 0
    private(set) var sum: Seconds = 0

    mutating func note(_ time: Seconds) {
        total += 1
        sum += max(0, time)
        if let index = Self.bounds.firstIndex(where: { time <= $0 }) { counts[index] += 1 }
    }
}
