internal import HomingRuntime

/// Refers to the owner of parts. The closures of the parts are made before the owner is complete.
@LoopActor final class Owner<Object: AnyObject> {
    private weak var object: Object?

    func set(_ object: Object) { self.object = object }

    /// The owner; `nil` until the owner is complete, and after its end.
    func callAsFunction() -> Object? { object }
}
