internal import Glibc
internal import HomingRuntime

/// Runs the loop on a thread of its own, once per test process, for tests isolated to it.
public enum LoopThread {
    private static let running: Void = {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                EventLoop.main.run()
                return nil
            }, nil)
    }()

    /// Starts it, the first time.
    public static func start() { _ = running }
}
