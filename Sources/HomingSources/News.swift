internal import HomingMachine
internal import HomingRuntime

/// Delivers what differs from what was delivered before.
@LoopActor final class News {
    private let deliver: @LoopActor (Observation) -> Void
    private var last: Observation?

    init(_ deliver: @escaping @LoopActor (Observation) -> Void) { self.deliver = deliver }

    func tell(_ observation: Observation) {
        guard observation != last else { return }
        last = observation
        deliver(observation)
    }

    /// Whatever is told next is news.
    func forget() { last = nil }
}
