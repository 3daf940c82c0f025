internal import HomingRuntime

/// Calls `due` for each item a fixed time after the item was added.
///
/// One timer serves all items, and an empty list has no timer. Thousands of timers would slow down
/// each turn of the loop.
@LoopActor final class DueList<Item> {
    private let wait: Seconds
    private let clock: any Clockwork
    private let due: @LoopActor (Item) -> Void
    private var items: [(at: Seconds, item: Item)] = []
    /// The index of the first item that is not due yet.
    private var first = 0
    private var alarm: (any Alarm)?

    /// - Parameter due: must not hold the list's owner.
    init(
        after wait: Seconds, _ clock: any Clockwork, due: @escaping @LoopActor (Item) -> Void
    ) {
        self.wait = wait
        self.clock = clock
        self.due = due
    }

    func add(_ item: Item) {
        items.append((clock.now().uptime + wait, item))
        if alarm == nil { arm() }
    }

    private func arm() {
        let rest = items[first].at - clock.now().uptime
        alarm = clock.once(after: max(0, rest)) { [weak self] in self?.ring() }
    }

    private func ring() {
        alarm = nil
        let now = clock.now().uptime
        while first < items.count, items[first].at <= now {
            let item = items[first].item
            first += 1
            due(item)
        }
        if first == items.count {
            (items, first) = ([], 0)
        } else {
            if first > items.count / 2 {
                items.removeFirst(first)
                first = 0
            }
            if alarm == nil { arm() }
        }
    }
}
