internal import CGPS
internal import Glibc
internal import HomingBase
internal import HomingLocation

extension PositionReport {
    /// Reads what libgps made of a TPV report; `nil` if that has no mode.
    ///
    /// libgps marks what a report lacks with NaN, and a lacking time with 0. Accuracy is gpsd's
    /// `eph`, else made of `epx` and `epy`; altitude is above mean sea level (`altMSL`).
    init?(_ fix: gps_fix_t) {
        guard let mode = FixMode(rawValue: Int(fix.mode)) else { return nil }
        self.init(
            mode: mode, time: Self.seconds(fix.time), latitude: Self.finite(fix.latitude),
            longitude: Self.finite(fix.longitude),
            accuracy: Self.finite(fix.eph) ?? Self.finite(hypot(fix.epx, fix.epy)),
            altitude: Self.finite(fix.altMSL), verticalAccuracy: Self.finite(fix.epv),
            speed: Self.finite(fix.speed), course: Self.finite(fix.track), source: .gpsd)
    }

    private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

    /// libgps takes any number for the fraction of a second, "1e99" for one.
    private static func seconds(_ time: timespec) -> Seconds? {
        guard time.tv_sec > 0, 0..<1_000_000_000 ~= time.tv_nsec else { return nil }
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) / 1e9
    }
}

extension SkyView {
    /// Reads what libgps made of a SKY report, in place: the whole is too large to copy.
    init(_ data: UnsafeMutablePointer<gps_data_t>) {
        let hdop = data.pointee.dop.hdop
        self.init(
            used: max(0, Int(data.pointee.satellites_used)),
            seen: max(0, Int(data.pointee.satellites_visible)),
            hdop: hdop.isFinite && hdop > 0 ? hdop : nil)
    }
}
