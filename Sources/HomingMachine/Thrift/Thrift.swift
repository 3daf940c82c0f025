public import HomingBase

/// Setting for when Homing saves data (`[thrift] mode`).
public enum ThriftMode: String, CaseIterable, Sendable {
    /// On a metered network, and on a battery that is low.
    case auto
    case on
    case off
}

/// Extent to which Homing saves data at the moment.
///
/// Each number of it is a factor on what the settings say, so that one rule holds for all of them.
public struct Thrift: Equatable, Sendable {
    public enum Cause: String, Sendable {
        /// `[thrift] mode` is on.
        case chosen
        case metered
        case battery
    }

    public var cause: Cause
    /// 1, 2, 4, 8 or 16: by how much the data budget stretches all intervals.
    public var factor: Double
    /// Whether it is a quiet hour.
    public var isQuiet: Bool
    /// Whether the data budget of this month is used up.
    public var isSpent: Bool
    /// Whether the push channel is closed, as its pings cost data.
    public var closesChannel: Bool

    public init(
        cause: Cause, factor: Double = 1, isQuiet: Bool = false, isSpent: Bool = false,
        closesChannel: Bool = false
    ) {
        self.cause = cause
        self.factor = factor
        self.isQuiet = isQuiet
        self.isSpent = isSpent
        self.closesChannel = closesChannel
    }

    /// Metres between two reports, in place of those of the settings.
    public func minDistance(_ usual: Double) -> Double { min(usual * 5 * factor, 10_000) }

    /// Seconds between two heartbeats, in place of those of the settings; 0 is never.
    public func heartbeat(_ usual: Seconds) -> Seconds {
        guard usual > 0, !isQuiet, !isSpent else { return 0 }
        return max(usual, min(usual * 8 * factor, 86_400))
    }

    /// Seconds that positions and sensors wait to travel together; `nil` while nothing is sent that
    /// may wait.
    ///
    /// - Parameters:
    ///   - usual: seconds that they wait on a metered network where no data is saved.
    ///   - maxAge: seconds for which a location is new enough for the map.
    public func wait(usual: Seconds, maxAge: Seconds) -> Seconds? {
        guard !isQuiet, !isSpent else { return nil }
        return max(usual, min(max(usual, min(maxAge * 0.8, 240)) * factor, 3600))
    }

    /// Seconds between two times at which the states of sensors are told; `nil` while they wait.
    public var sensorInterval: Seconds? {
        isQuiet || isSpent ? nil : min(21_600 * factor, 86_400)
    }

    /// Returns what is saved and why, for people.
    public func text(quiet: QuietHours?) -> String {
        let reason =
            switch cause {
            case .chosen: "[thrift] mode is on"
            case .metered: "the network is metered"
            case .battery: "the battery is low"
            }
        var parts = [reason]
        if factor > 1 { parts.append("intervals × \(Int(factor))") }
        if isSpent { parts.append("the budget of this month is used up") }
        if isQuiet { parts.append("quiet" + (quiet.map { " until \($0.endText)" } ?? "")) }
        return parts.joined(separator: ", ")
    }
}
