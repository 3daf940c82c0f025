#if HOMING_FAILPOINTS
    internal import Glibc

    /// Places at which a test has the daemon die, by the environment variable `HOMING_FAILPOINT`; not
    /// in what is shipped.
    enum Failpoint: String {
        /// Home Assistant has proved that it holds rows, and they are still in the outbox.
        case provedNotSettled = "proved-not-settled"

        /// Dies as by `kill -9`, if this is the place.
        func reach() {
            if let wanted = getenv("HOMING_FAILPOINT"), String(cString: wanted) == rawValue {
                kill(getpid(), SIGKILL)
            }
        }
    }
#endif
