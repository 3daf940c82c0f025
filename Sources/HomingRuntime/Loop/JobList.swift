internal import Synchronization

/// Swift's jobs for the loop, which any thread may add to.
///
/// Its functions have a frame of their own, and run nobody else's code: by their names the thread
/// sanitizer is told of this lock, and of nothing that a job does (scripts/thread-sanitizer.supp).
struct JobList: ~Copyable, Sendable {
    private let jobs = Mutex<[UnownedJob]>([])

    /// Adds a job; whether it is the first.
    @inline(never) borrowing func append(_ job: UnownedJob) -> Bool {
        jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
    }

    /// All there are, in their order; none are left.
    @inline(never) borrowing func takeAll() -> [UnownedJob] {
        jobs.withLock { jobs in
            let all = jobs
            jobs.removeAll(keepingCapacity: true)
            return all
        }
    }
}
