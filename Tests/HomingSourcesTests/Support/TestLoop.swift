import CGLib
import HomingTestKit

/// The loop these tests run on.
enum TestLoop {
    /// Starts it, the first time, and has GLib end the process where it would only grumble that it
    /// was misused.
    static func start() {
        g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL)
        LoopThread.start()
    }
}
