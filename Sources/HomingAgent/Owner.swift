internal import HomingRuntime

/// Names the owner of parts to their closures, which are made before the owner is complete.
@LoopActor final class Owner<Object: AnyObject> {
    private weak var object: Object?

    init() {}

    func become(_ object: Object) { self.object = object }

    /// `nil` until the owner is complete, and after its end.
    func callAsFunction() -> Object? { object }
}
