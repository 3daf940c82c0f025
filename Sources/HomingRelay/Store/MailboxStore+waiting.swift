internal import HomingRuntime

extension MailboxStore {
    /// Waits for an answer: `try await store.answer { store.check(…, $0) }`.
    func answer<Value: Sendable>(
        _ ask: (@escaping StoreAnswer<Value>) -> Void
    ) async throws(StoreFailure) -> Value {
        let result = await withCheckedContinuation { continuation in
            ask { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// The same, for `seconds` at the most. The store still does its work after that.
    func answer<Value: Sendable>(
        within seconds: Seconds, _ clock: any Clockwork,
        _ ask: (@escaping StoreAnswer<Value>) -> Void
    ) async throws(StoreFailure) -> Value {
        try await Race<Result<Value, StoreFailure>>.run(seconds, clock, late: .failure(.late), ask)
            .get()
    }
}
