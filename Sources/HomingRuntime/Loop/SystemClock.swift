internal import Glibc
public import HomingCore

/// Reads the machine's clocks.
public enum SystemClock {
    /// Now, on both clocks.
    public static func now() -> Moment {
        Moment(uptime: read(CLOCK_BOOTTIME), unixTime: read(CLOCK_REALTIME))
    }

    private static func read(_ clock: clockid_t) -> Seconds {
        var time = timespec()
        clock_gettime(clock, &time)
        return Seconds(time.tv_sec) + Seconds(time.tv_nsec) / 1e9
    }
}
