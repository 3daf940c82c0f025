internal import CGLib

/// The deadlines that are set. They share one source of the loop, as GLib looks at each of its
/// sources in each turn.
///
/// A deadline that is due waits for the descriptors that are ready in the same turn. So an answer that
/// came while the loop was busy cancels the deadline for that answer.
///
/// Only the loop's thread touches the queue, but the `deinit` of a deadline is not isolated.
final class DeadlineQueue: @unchecked Sendable {
    private struct Entry {
        let number: Int
        /// Microseconds of GLib's monotonic clock.
        let time: gint64
        let handler: @LoopActor () -> Void
    }

    /// The queue of the process.
    static let main = DeadlineQueue()

    private static let second: gint64 = 1_000_000

    /// GLib calls these. The times stand here alone: a ready time of the source's would wake the loop
    /// each time that it is set.
    nonisolated(unsafe) private static let functions: UnsafeMutablePointer<GSourceFuncs> = {
        let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
        functions.initialize(to: GSourceFuncs())
        functions.pointee.prepare = { source, timeout in
            DeadlineQueue.main.prepare(at: g_source_get_time(source), timeout) ? 1 : 0
        }
        functions.pointee.check = { source in
            DeadlineQueue.main.notice(at: g_source_get_time(source))
            return 0
        }
        functions.pointee.dispatch = { source, _, _ in
            let time = g_source_get_time(source)
            LoopActor.assumeIsolated { DeadlineQueue.main.callDue(at: time) }
            return 1
        }
        return functions
    }()

    private var entries: [Entry] = []
    private var lastNumber = 0
    /// Whether the first entry was due when the descriptors were looked at.
    private var hasWaited = false
    /// Microseconds of each second at which GLib's own timers of whole seconds fire.
    private let tick: gint64

    private init() {
        let timer = g_timeout_source_new_seconds(1)
        tick = g_source_get_ready_time(timer) % Self.second
        g_source_unref(timer)
        let source = g_source_new(Self.functions, guint(MemoryLayout<GSource>.size))
        // Handlers do not run the loop themselves: see `Watch`.
        g_source_set_can_recurse(source, 1)
        g_source_attach(source, EventLoop.main.context)
        g_source_unref(source)
    }

    /// A number for one more deadline.
    func claimNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Adds the deadline of this number, or moves it.
    func set(
        _ number: Int, after seconds: Seconds, exactly: Bool,
        _ handler: @escaping @LoopActor () -> Void
    ) {
        let wait = gint64((max(0, min(seconds, 4_000_000)) * 1000).rounded(.up)) * 1000
        var time = g_get_monotonic_time() + wait
        if !exactly { time += (tick - time % Self.second + Self.second) % Self.second }
        let entry = Entry(number: number, time: time, handler: handler)
        if let index = index(of: number) { entries[index] = entry } else { entries.append(entry) }
    }

    /// Removes the deadline of this number, if it is set.
    func remove(_ number: Int) {
        if let index = index(of: number) { entries.remove(at: index) }
    }

    private func index(of number: Int) -> Int? {
        entries.firstIndex { $0.number == number }
    }

    /// Index of the earliest entry; of two at one time, that which was set first.
    private var first: Int? {
        entries.indices.min { entries[$0].time < entries[$1].time }
    }

    /// Whether to call now. Otherwise says for how many milliseconds the loop may wait.
    private func prepare(at now: gint64, _ timeout: UnsafeMutablePointer<gint>?) -> Bool {
        guard let first else {
            timeout?.pointee = -1
            return false
        }
        let wait = max(0, entries[first].time - now)
        timeout?.pointee = gint(clamping: (wait + 999) / 1000)
        if wait > 0 { hasWaited = false }
        return hasWaited
    }

    /// Notes whether the first entry is due while the descriptors are looked at.
    private func notice(at now: gint64) {
        hasWaited = first.map { entries[$0].time <= now } ?? false
    }

    /// Calls what is due, in order of time. A handler may set and cancel deadlines.
    @LoopActor private func callDue(at now: gint64) {
        hasWaited = false
        while let first, entries[first].time <= now { entries.remove(at: first).handler() }
    }
}
