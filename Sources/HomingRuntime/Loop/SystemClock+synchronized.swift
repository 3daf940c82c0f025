internal import CLinux

extension SystemClock {
    /// Whether the kernel holds the clock for set, as NTP tells it (adjtimex(2)); `nil` where the
    /// kernel may not be asked, as in the system service's sandbox.
    public static func isSynchronized() -> Bool? {
        var state = timex()
        guard adjtimex(&state) >= 0 else { return nil }
        return state.status & STA_UNSYNC == 0
    }
}
