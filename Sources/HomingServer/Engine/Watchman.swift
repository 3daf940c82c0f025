internal import HomingRuntime

/// A member that can be late.
@LoopActor protocol Patrolled: AnyObject {
    /// Handles the end of a stage's time limit. The member waits for nothing now.
    func isLate(_ stage: ServerStage)
    /// Ends when the present work is done: the server is shutting down.
    func serverEnds()
    /// Ends at once: the time of the shutdown is over.
    func serverIsOver()
}

/// Tells connections when they are late: one timer for all of them.
@LoopActor final class Watchman {
    private let clock: any Clockwork
    private var patrol: Patrol
    /// Members by their numbers.
    private var members: [(any Patrolled)?] = []
    private var count = 0
    private var alarm: (any Alarm)?
    /// Uptime at which the alarm rings; never later than somebody is late.
    private var ringsAt = Seconds.infinity

    init(clock: any Clockwork, limits: ServerLimits) {
        self.clock = clock
        patrol = Patrol(limits: limits)
    }

    /// Uptime in seconds.
    var now: Seconds { clock.now().uptime }
    /// All members, for the shutdown.
    var all: [any Patrolled] { members.compactMap { $0 } }
    /// Whether nothing is held.
    var isEmpty: Bool { count == 0 }

    /// A number for somebody who is held, and waits for nothing yet, until `remove`.
    func add(_ member: any Patrolled) -> Int {
        let number = patrol.add()
        while members.count <= number { members.append(nil) }
        members[number] = member
        count += 1
        return number
    }

    /// Forgets a member. Its number may be given to another member.
    func remove(_ number: Int) {
        patrol.remove(number)
        members[number] = nil
        count -= 1
    }

    func stage(of number: Int) -> ServerStage? { patrol.stage(of: number) }

    /// Has the member wait for this from now on, and for nothing else.
    func enter(_ number: Int, _ stage: ServerStage) {
        patrol.enter(number, stage, at: now)
        setAlarm()
    }

    /// Has the member wait for nothing.
    func leave(_ number: Int) { patrol.leave(number) }

    /// Keeps an earlier alarm: most requests end before their alarm rings.
    private func setAlarm() {
        guard let next = patrol.next, next < ringsAt else { return }
        ringsAt = next
        alarm = clock.once(after: next - now) { [weak self] in self?.ring() }
    }

    private func ring() {
        (alarm, ringsAt) = (nil, .infinity)
        while let late = patrol.late(at: now) { members[late.number]?.isLate(late.stage) }
        setAlarm()
    }
}
