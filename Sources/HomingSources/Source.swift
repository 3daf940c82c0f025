public import HomingRuntime

/// A part of the world that is watched: it turns what it notices into `Observation` values, and
/// delivers them on the loop through the closure it was made with.
///
/// A source that cannot reach its service says so once and goes on trying by itself, forever.
@LoopActor public protocol Source: AnyObject {
    /// Begins to watch. Starting twice is starting once.
    func start()

    /// Ends it and lets every descriptor, timer and handler go. Nothing is delivered after that.
    func shutdown()
}
