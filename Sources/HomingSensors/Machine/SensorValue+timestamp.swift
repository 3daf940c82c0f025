internal import HomingBase

extension SensorValue {
    /// A time for a sensor of the class `timestamp`: ISO 8601 in UTC, to the second; `unknown` if it
    /// is none.
    ///
    /// - Parameter time: seconds since 1970.
    static func timestamp(_ time: Seconds) -> SensorValue {
        guard time.isFinite, (0..<1e11).contains(time) else { return .unknown }
        return .text(UTCTime(time).text)
    }
}
