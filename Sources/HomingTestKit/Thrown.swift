internal import HomingRuntime

/// The error that a body throws, or nil if it ends without one. `#expect(throws:)` gives it only
/// since Swift 6.1.
///
/// - Throws: an error of any other type.
public func thrown<Failure: Error>(
    _ type: Failure.Type, by body: () throws -> some Any
) throws -> Failure? {
    do {
        _ = try body()
        return nil
    } catch let error as Failure {
        return error
    }
}

/// The same of a body that waits on the loop.
@LoopActor public func thrown<Failure: Error>(
    _ type: Failure.Type, by body: @LoopActor () async throws -> some Any
) async throws -> Failure? {
    do {
        _ = try await body()
        return nil
    } catch let error as Failure {
        return error
    }
}
