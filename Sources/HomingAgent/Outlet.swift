internal import HomingRuntime

/// Where a part reports to. What is reported before its owner is whole waits until then.
@LoopActor final class Outlet<Event> {
    private var waiting: [Event] = []
    private var take: (@LoopActor (Event) -> Void)?

    init() {}

    /// Every event goes there, those that wait first.
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
