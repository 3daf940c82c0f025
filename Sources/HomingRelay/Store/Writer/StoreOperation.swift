internal import HomingRuntime
internal import HomingSQLite

/// An operation on the writer's file, with a caller to answer.
///
/// One thread at a time has it: the loop hands it to the writer, and the writer hands it back.
class StoreOperation: @unchecked Sendable {
    /// Performs the operation in a transaction, and again if that transaction was rolled back.
    func runOperation(on file: MailboxFile) throws(DatabaseError) {}

    /// Records that the operation failed.
    func fail(_ failure: StoreFailure) {}

    /// Answers the caller, on the loop.
    @LoopActor func answer() {}
}

/// An operation with a result.
final class StoreQuestion<Value: Sendable>: StoreOperation, @unchecked Sendable {
    typealias Work = @Sendable (MailboxFile) throws(DatabaseError) -> Result<Value, StoreFailure>

    private let work: Work
    private let told: @LoopActor (Result<Value, StoreFailure>) -> Void
    private var result: Result<Value, StoreFailure> = .failure(.closed)

    init(
        _ work: @escaping Work, told: @escaping @LoopActor (Result<Value, StoreFailure>) -> Void
    ) {
        self.work = work
        self.told = told
    }

    override func runOperation(on file: MailboxFile) throws(DatabaseError) {
        result = try work(file)
    }

    override func fail(_ failure: StoreFailure) { result = .failure(failure) }

    @LoopActor override func answer() { told(result) }
}

extension StoreFailure {
    /// Says why a database failed, with advice.
    init(_ error: DatabaseError) {
        switch error.kind {
        case .full: self.init(.full, "\(error.message): make room on the disk")
        case .readOnly:
            self.init(.failed, "\(error.message): the disk or the file cannot be written to")
        case .damaged:
            self.init(
                .failed,
                "\(error.message): restore the file, or move the file away and start again")
        case .newerSchema, .failed: self.init(.failed, error.message)
        }
    }
}
