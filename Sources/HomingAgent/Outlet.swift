internal import HomingRuntime

/// Carries the events of a part to its owner. Events wait until the owner is complete.
@LoopActor final class Outlet<Event> {
    private var waiting: [Event] = []
    private var take: (@LoopActor (Event) -> Void)?

    init() {}

    /// Hands over the waiting events, and then each event at once.
    func connect(_ take: @escaping @LoopActor (Event) -> Void) {
        self.take = take
        let events = waiting
        waiting = []
        for event in events { take(event) }
    }

    func send(_ event: Event) {
        if let take { take(event) } else { waiting.append(event) }
    }
}
