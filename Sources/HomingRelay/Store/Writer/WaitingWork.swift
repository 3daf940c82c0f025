internal import Glibc

/// The work that waits for the writer: the loop adds operations, the writer takes a batch.
///
/// The lock is held while operations are added or taken, never while SQLite works: so the loop never
/// waits for the disk. The lock is pthread's, since Swift's `Mutex` has nothing to wait by.
final class WaitingWork: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let isThereMore: UnsafeMutablePointer<pthread_cond_t>
    private var entries: [(operation: StoreOperation, bytes: Int)] = []
    /// Bytes of all entries.
    private var weight = 0
    private var isEnding = false
    private let limit: Int

    /// - Parameter limit: bytes of the operations that wait.
    init(limit: Int) {
        self.limit = limit
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
        isThereMore = .allocate(capacity: 1)
        isThereMore.initialize(to: pthread_cond_t())
        pthread_cond_init(isThereMore, nil)
    }

    deinit {
        pthread_cond_destroy(isThereMore)
        isThereMore.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    private func withLock<T>(_ body: () -> T) -> T {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }

    /// Adds an operation; returns the failure if the operation is refused.
    ///
    /// - Parameter bytes: memory that the operation holds while it waits.
    func add(_ operation: StoreOperation, bytes: Int) -> StoreFailure? {
        withLock {
            if isEnding { return .closed }
            guard weight + bytes <= limit else { return .overloaded }
            weight += bytes
            entries.append((operation, bytes))
            if entries.count == 1 { pthread_cond_signal(isThereMore) }
            return nil
        }
    }

    /// Refuses new operations. The writer still performs the waiting operations.
    func end() {
        withLock {
            isEnding = true
            pthread_cond_signal(isThereMore)
        }
    }

    /// Waits for work, and takes the oldest operations; `nil` at the end. The operations that stay
    /// keep their bytes within the limit.
    ///
    /// - Parameter count: operations at the most.
    func takeBatch(of count: Int) -> [StoreOperation]? {
        withLock {
            while entries.isEmpty {
                if isEnding { return nil }
                pthread_cond_wait(isThereMore, lock)
            }
            let batch = entries.prefix(count)
            entries.removeFirst(batch.count)
            weight -= batch.reduce(0) { $0 + $1.bytes }
            return batch.map(\.operation)
        }
    }
}
