public import CGIO
public import HomingRuntime

/// Asynchronous call of GIO's (`…_async` and its `…_finish`), called off when let go.
///
/// The answer always arrives, even after a cancellation. It must always be finished, so that the
/// object in it does not leak: `finish` and `completion` are two closures, and only the second is dropped
/// with the call.
@LoopActor public final class PendingCall {
    /// Closure that outlives the call until the answer is there.
    private typealias Answer = @LoopActor (OpaquePointer?) -> Void

    /// Thread-safe by GIO's promise; `deinit` is not isolated.
    nonisolated(unsafe) private let cancellable = g_cancellable_new()

    /// Makes the call at once.
    ///
    /// - Parameters:
    ///   - call: hands the three last arguments to `…_async`.
    ///   - finish: hands the result to `…_finish`; an object in it is owned by whoever gets it.
    ///   - discard: frees an object that came too late.
    ///   - completion: gets what `finish` answered, unless the call was let go.
    public init<Object>(
        _ call: (
            UnsafeMutablePointer<GCancellable>?, GAsyncReadyCallback?, UnsafeMutableRawPointer?
        )
            -> Void,
        finish: @escaping @LoopActor (OpaquePointer?) -> Result<Object, GLibError>,
        discard: @escaping @LoopActor (Object) -> Void = { _ in },
        completion: @escaping @LoopActor (Result<Object, GLibError>) -> Void
    ) {
        let answer: Answer = { [weak self] result in
            let outcome = finish(result)
            if self != nil {
                completion(outcome)
            } else if case .success(let object) = outcome {
                discard(object)
            }
        }
        call(cancellable, Self.receiveAnswer, Box<Answer>.retain(answer))
    }

    deinit {
        g_cancellable_cancel(cancellable)
        g_object_unref(cancellable)
    }

    /// Takes the answer out of C's hands.
    nonisolated private static let receiveAnswer: GAsyncReadyCallback = { _, result, box in
        guard let box else { return }
        defer { releaseBox(box) }
        let (answer, result) = (Box<Answer>.value(box), Lent(result))
        LoopActor.assumeIsolated { answer(result.value) }
    }
}
