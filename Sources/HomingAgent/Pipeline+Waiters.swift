internal import HomingBase
internal import HomingDelivery
internal import HomingMachine
internal import HomingRoutes
internal import HomingRuntime
internal import HomingSQLite

/// Reports that somebody asked for, and waits for.
extension Pipeline {
    /// Reports a zone by its name, whatever the receiver says.
    func reportZone(_ name: String, waiter: RowWaiter) {
        let now = clock.now()
        let place = LocationMessage.Place.zone(name: name, time: now.unixTime)
        let message = LocationMessage(place: place, battery: power.batteryPercentage)
        guard let id = append(.location(message), now) else { return waiter.finish(.noRow) }
        waiter.entry = id
        wait(waiter)
        tell(.flush)
    }

    /// Reports the next good fix, and asks the receiver for one.
    func reportPosition(waiter: RowWaiter) {
        wait(waiter)
        requestPosition()
    }

    /// Adds a waiter. Beyond the bound the first waiter gets its answer at once.
    func wait(_ waiter: RowWaiter) {
        waiters.append(waiter)
        if waiters.count > Bound.waiters { waiters.removeFirst().giveUp() }
    }

    /// This is the row that was waited for.
    func assignWaiters(_ id: EntryID) {
        let unassigned = waiters.filter { $0.entry == nil && !$0.isFinished }
        for waiter in unassigned { waiter.entry = id }
        if !unassigned.isEmpty { tell(.flush) }
    }

    /// These rows were settled.
    func answerWaiters(_ ids: [EntryID], _ fate: Fate) {
        for waiter in waiters where waiter.entry.map(ids.contains) ?? false {
            waiter.finish(.settled(fate))
        }
        waiters.removeAll(where: \.isFinished)
    }

    /// The outbox may have let rows go by itself. One that cannot be read has its warning, and
    /// whoever waits goes on waiting.
    func answerWaiters(goneAs fate: Fate) {
        for waiter in waiters {
            guard let id = waiter.entry, (try? outbox.holds(id)) == false else { continue }
            waiter.finish(.settled(fate))
        }
        waiters.removeAll(where: \.isFinished)
    }

    /// Once the whole way has failed, or where there is none, whoever waits for delivery need not
    /// wait any longer: the row is safe in the outbox.
    func answerWaitersIfStuck() {
        let isStuck = courier.nextAttempt != nil || way?.endpoints.isEmpty ?? true
        guard !waiters.isEmpty, isStuck, !tracker.isUnderWay else { return }
        for waiter in waiters where waiter.entry != nil && !waiter.isStubborn {
            waiter.finish(.queued)
        }
        waiters.removeAll(where: \.isFinished)
    }
}

extension OutboxStore {
    /// Whether the row is still queued.
    func holds(_ id: EntryID) throws(DatabaseError) -> Bool {
        for route in [Route.live, .track] {
            let found = try entries(id.stream, route: route, after: id.number - 1, limit: 1)
            if found.first?.id == id { return true }
        }
        return false
    }
}
