internal import CGLib
internal import CSystemd

/// Tells systemd how we are (sd_notify(3)); does nothing when systemd does not ask.
public enum ServiceManager {
    /// Start-up is over, the sockets are there.
    public static func ready() { send("READY=1") }

    /// The line that `systemctl status` shows.
    public static func status(_ line: String) { send("STATUS=\(line)") }

    /// The configuration is being read again; `ready()` ends it.
    public static func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(g_get_monotonic_time())")
    }

    /// We are on our way out.
    public static func stopping() { send("STOPPING=1") }

    /// The loop turns.
    public static func feedWatchdog() { send("WATCHDOG=1") }

    /// Seconds within which systemd wants the watchdog fed, or `nil` if it does not watch.
    public static func watchdogInterval() -> Double? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 0 else { return nil }
        return Double(microseconds) / 1e6
    }

    private static func send(_ state: String) { sd_notify(0, state) }
}
