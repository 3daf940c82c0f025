public import HomingBase

/// Keeps a sensor that is slow or fails from disturbing the rest: it is switched off for a while.
///
/// Three slow or three failed readings running switch it off. After `rest` it gets a trial: a single
/// good reading switches it on for good, a single bad one off again.
public struct SensorGuard: Sendable {
    /// End of a reading.
    public enum Outcome: Equatable, Sendable {
        case succeeded
        /// The text says what is wrong: the file and why.
        case failed(String)
    }

    /// News about a sensor that a person should hear: the name, and what became of the sensor.
    public enum Notice: Equatable, Sendable {
        case switchedOff(String, because: String)
        case worksAgain(String)

        /// A sentence for the journal.
        public var text: String {
            switch self {
            case .switchedOff(let name, let reason):
                "\(name) is switched off for an hour: \(reason)"
            case .worksAgain(let name): "\(name) works again"
            }
        }
    }

    /// Seconds a reading may take: the loop stands still meanwhile.
    public static let patience: Seconds = 0.05
    /// Slow or failed readings running.
    static let strikes = 3
    /// Seconds until a sensor that was switched off is tried again.
    public static let rest: Seconds = 3600

    private struct Record: Sendable {
        var slow = 0
        var failed = 0
        /// Uptime at which it may be read again; set from its switching off to its next success.
        var offUntil: Seconds?
    }

    private var records: [String: Record] = [:]

    public init() {}

    /// Whether the sensor may be read now.
    public func allows(_ name: String, at now: Moment) -> Bool {
        records[name]?.offUntil.map { now.uptime >= $0 } ?? true
    }

    /// Notes a reading.
    ///
    /// - Parameters:
    ///   - name: of the sensor.
    ///   - duration: seconds the reading took; 0 for one that did not hold up the loop.
    public mutating func note(
        _ name: String, _ outcome: Outcome, took duration: Seconds = 0, at now: Moment
    ) -> Notice? {
        var record = records[name] ?? Record()
        defer { records[name] = record }
        let isSlow = duration > Self.patience
        record.slow = isSlow ? record.slow + 1 : 0
        record.failed = outcome == .succeeded ? 0 : record.failed + 1
        let isOnTrial = record.offUntil != nil
        let limit = isOnTrial ? 1 : Self.strikes
        if record.failed >= limit || record.slow >= limit {
            record.offUntil = now.uptime + Self.rest
            return isOnTrial ? nil : .switchedOff(name, because: reason(outcome, duration))
        }
        guard isOnTrial else { return nil }
        record = Record()
        return .worksAgain(name)
    }

    private func reason(_ outcome: Outcome, _ duration: Seconds) -> String {
        if case .failed(let message) = outcome { return message }
        return "reading it takes \(Int((duration * 1000).rounded())) ms"
    }
}
