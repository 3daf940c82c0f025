internal import HomingSQLite

/// Does many operations in one transaction, so that a single sync of the disk serves them all.
///
/// If an operation fails, nothing of the transaction holds, and each half is tried by itself: the
/// failing operation is found in a few commits, and fails alone.
struct GroupCommit {
    /// Transactions that were committed.
    private(set) var commits = 0

    /// - Parameter operations: in their order; each has its result or its failure afterwards.
    mutating func commitOperations(_ operations: ArraySlice<StoreOperation>, on file: MailboxFile) {
        do throws(DatabaseError) {
            try file.database.transaction { () throws(DatabaseError) in
                file.beginTransaction()
                for operation in operations { try operation.runOperation(on: file) }
            }
            commits += 1
        } catch {
            file.forgetTransaction()
            guard operations.count > 1 else {
                operations.first?.fail(StoreFailure(error))
                return
            }
            let middle = operations.startIndex + operations.count / 2
            commitOperations(operations[..<middle], on: file)
            commitOperations(operations[middle...], on: file)
        }
    }
}
