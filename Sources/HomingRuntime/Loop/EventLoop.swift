internal import CGLib

/// The one loop of the process: a GMainContext that Swift sees as an executor.
///
/// libnm and GIO need a GMainContext anyway, so timers, descriptors, signals and Swift's own jobs
/// all run on it, on the thread that calls `run()`. Nothing else starts a timer, and only the writer of the
/// relay's store is a thread beside it (docs/decisions/0043-writer-thread.md).
public final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// The loop of the process.
    public static let main = EventLoop()

    /// Context for GLib calls that attach something to the loop.
    let context: OpaquePointer
    private let loop: OpaquePointer
    private let source: UnsafeMutablePointer<GSource>
    private let jobs = JobList()

    /// A GSource that knows its loop: GLib allocates it whole.
    private struct JobSource {
        var base: GSource
        var owner: Unmanaged<EventLoop>
    }

    /// Readiness is the source's ready time alone, so `prepare` and `check` stay empty.
    nonisolated(unsafe) private static let functions: UnsafeMutablePointer<GSourceFuncs> = {
        let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
        functions.initialize(to: GSourceFuncs())
        functions.pointee.dispatch = { source, _, _ in
            source?.withMemoryRebound(to: JobSource.self, capacity: 1) {
                $0.pointee.owner.takeUnretainedValue().runJobs()
            }
            return 1
        }
        return functions
    }()

    private init() {
        context = g_main_context_new()
        loop = g_main_loop_new(context, 0)
        source = g_source_new(EventLoop.functions, guint(MemoryLayout<JobSource>.size))
        source.withMemoryRebound(to: JobSource.self, capacity: 1) {
            $0.pointee.owner = Unmanaged.passUnretained(self)
        }
        g_source_set_ready_time(source, -1)
        g_source_attach(source, context)
    }

    /// Takes a job of Swift's; wakes the loop if it was the first.
    public func enqueue(_ job: consuming ExecutorJob) {
        if jobs.append(UnownedJob(job)) { g_source_set_ready_time(source, 0) }
    }

    private func runJobs() {
        g_source_set_ready_time(source, -1)
        for job in jobs.takeAll() {
            job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    /// Whether the caller is on the loop's thread, while it runs.
    public func isIsolatingCurrentContext() -> Bool? { g_main_context_is_owner(context) != 0 }

    /// Traps unless the caller is on the loop's thread.
    public func checkIsolated() {
        precondition(g_main_context_is_owner(context) != 0, "not on the loop's thread")
    }

    /// Runs the loop on the calling thread until `quit()`.
    public func run() {
        g_main_context_push_thread_default(context)
        g_main_loop_run(loop)
        g_main_context_pop_thread_default(context)
    }

    /// Makes `run()` return.
    public func quit() { g_main_loop_quit(loop) }
}

/// Actor of the code that is isolated to the loop's thread.
@globalActor public actor LoopActor {
    public static let shared = LoopActor()
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        EventLoop.main.asUnownedSerialExecutor()
    }

    // The compiler puts the length of the file's path into the program. With this one it is the same
    // in whichever folder it is built.
    #sourceLocation(file:"LoopActor.swift",line:89)
    /// Enters the actor, or traps: for C callbacks, which GLib runs on the loop's thread.
    public static func assumeIsolated<T: Sendable>(
        _ body: @LoopActor () throws -> T
    ) rethrows -> T {
        EventLoop.main.checkIsolated()
        typealias Unisolated = () throws -> T
        return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: Unisolated.self)() }
    }
    #sourceLocation()
}

/// Starts a task on the loop: the only way to start one.
///
/// With the loop as task executor too, nonisolated async code stays on its thread; a plain `Task {}`
/// would start libdispatch, whose pool wakes the process once a second forever.
@discardableResult
public func spawn<T: Sendable>(_ body: @escaping @Sendable @LoopActor () async -> T) -> Task<
    T, Never
> {
    Task(executorPreference: EventLoop.main, operation: body)
}
