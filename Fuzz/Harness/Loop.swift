internal import CGLib

@testable internal import HomingRuntime

/// The loop, turned by hand on the only thread there is.
@LoopActor enum Loop {
    /// Makes the calling thread the loop's, for good.
    nonisolated static func own() {
        g_main_context_acquire(EventLoop.main.context)
        g_main_context_push_thread_default(EventLoop.main.context)
    }

    /// Turns it until the condition holds. Where it never does, libFuzzer's own limit of time ends
    /// the run.
    static func turn(until isDone: () -> Bool) {
        while !isDone() { g_main_context_iteration(EventLoop.main.context, 1) }
    }
}
