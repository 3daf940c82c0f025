internal import Glibc
internal import HomingRuntime
internal import HomingSQLite

/// Starts a thread; it ends with `body`, and has to be joined.
private func startThread(
    _ body: @escaping @Sendable () -> Void
) throws(SystemError) -> pthread_t {
    typealias Body = @Sendable () -> Void
    var thread = pthread_t()
    let argument = Box<Body>.retain(body)
    let code = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            Box<Body>.value(argument)()
            releaseBox(argument)
            return nil
        }, argument)
    guard code == 0 else {
        releaseBox(argument)
        throw SystemError("cannot start the writer", number: code)
    }
    return thread
}

/// The one thread beside the loop: it opens the file of the mailboxes, and writes it for the loop.
///
/// A sync of a disk may take seconds. On the loop a sync would stop all clients; with the thread
/// the loop goes on and answers 503. docs/decisions/0043-writer-thread.md
///
/// The writer takes a batch of the work that waits, does the batch in one transaction, and hands the
/// answers back to the loop at once. A refused or failed operation is answered as well: each operation is
/// answered once.
@LoopActor final class WriterThread {
    /// The work so far.
    struct Counts: Equatable, Sendable {
        var commits = 0
        var operations = 0
    }

    /// Operations of one transaction: the first has to wait for the last of them.
    nonisolated static let batch = 512
    /// Bytes of the work that may wait.
    nonisolated static let waitingLimit = 64 << 20
    /// Memory that an operation takes beside its parcel, about.
    nonisolated static let operationBytes = 512

    private let work: WaitingWork
    private var thread: pthread_t?
    private var whenEnded: CheckedContinuation<Void, Never>?
    private(set) var counts = Counts()

    private init(limit: Int) { work = WaitingWork(limit: limit) }

    /// Starts the thread, and opens the file on the thread. Throws the error of `open`.
    ///
    /// - Parameters:
    ///   - open: called on the thread, which owns the file.
    ///   - limit: bytes of the work that may wait.
    static func start(
        limit: Int = WriterThread.waitingLimit,
        _ open: @escaping @Sendable () throws(DatabaseError) -> MailboxFile
    ) async throws(DatabaseError) -> WriterThread {
        let writer = WriterThread(limit: limit)
        let failure: DatabaseError? = await withCheckedContinuation { continuation in
            let job = Job(work: writer.work, owner: writer, open: open) {
                continuation.resume(returning: $0)
            }
            if let error = writer.launch(job) {
                continuation.resume(returning: DatabaseError(.failed, "\(error)"))
            }
        }
        if let failure {
            writer.join()
            throw failure
        }
        return writer
    }

    /// Starts the thread; returns the error if the system gives no thread.
    private func launch(_ job: Job) -> SystemError? {
        do throws(SystemError) {
            thread = try startThread { job.run() }
            return nil
        } catch {
            return error
        }
    }

    /// Queues an operation behind the earlier operations. `told` is called in a later turn.
    ///
    /// - Parameter bytes: what the work holds in memory.
    func submit<Value: Sendable>(
        bytes: Int = 0, _ body: @escaping StoreQuestion<Value>.Work,
        told: @escaping @LoopActor (Result<Value, StoreFailure>) -> Void
    ) {
        let question = StoreQuestion(body, told: told)
        if let failure = work.add(question, bytes: bytes + Self.operationBytes) {
            question.fail(failure)
            spawn { question.answer() }
        }
    }

    fileprivate func answer(_ operations: [StoreOperation], commits: Int) {
        counts.commits += commits
        counts.operations += operations.count
        for operation in operations { operation.answer() }
    }

    /// Does the waiting work, closes the file, and ends the thread.
    func end() async {
        await withCheckedContinuation { continuation in
            guard thread != nil, whenEnded == nil else { return continuation.resume() }
            whenEnded = continuation
            work.end()
        }
    }

    fileprivate func hasEnded() {
        join()
        whenEnded?.resume()
        whenEnded = nil
    }

    private func join() {
        if let thread { pthread_join(thread, nil) }
        thread = nil
    }
}

/// The thread's own part.
extension WriterThread {
    fileprivate struct Job: Sendable {
        let work: WaitingWork
        let owner: WriterThread
        let open: @Sendable () throws(DatabaseError) -> MailboxFile
        let opened: @Sendable (DatabaseError?) -> Void

        func run() {
            Self.prepareThread()
            do throws(DatabaseError) {
                let file = try open()
                opened(nil)
                serve(file)
            } catch {
                opened(error)
            }
        }

        /// Blocks all signals, which the loop handles.
        private static func prepareThread() {
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
        }

        private func serve(_ file: MailboxFile) {
            while let batch = work.takeBatch(of: WriterThread.batch) {
                var group = GroupCommit()
                group.commitOperations(batch[...], on: file)
                let (owner, commits) = (owner, group.commits)
                spawn { owner.answer(batch, commits: commits) }
            }
            file.database.close()
            let owner = owner
            spawn { owner.hasEnded() }
        }
    }
}
