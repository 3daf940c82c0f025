import HomingBase
import Testing

@testable import HomingSensors

@Suite struct ScriptScheduleTests {
    private let start = Moment(uptime: 1000, unixTime: 1_763_730_000)

    @Test("new scripts run at once, one after the other, in the order of their names")
    func oneAtATime() {
        var schedule = ScriptSchedule()
        #expect(schedule.nextAt == nil)
        #expect(schedule.update(["b", "a"], at: start).isEmpty)
        #expect(schedule.nextAt == 1000)
        #expect(schedule.start(at: start)?.name == "a")
        #expect(schedule.start(at: start) == nil, "one runs")
        #expect(schedule.nextAt == nil)
        schedule.ended(pause: 60, timeout: nil, at: start.advanced(by: 2))
        #expect(schedule.start(at: start.advanced(by: 2))?.name == "b")
        schedule.ended(pause: 10, timeout: nil, at: start.advanced(by: 3))
        #expect(schedule.nextAt == 1013)
        #expect(schedule.start(at: start.advanced(by: 12)) == nil)
        #expect(schedule.start(at: start.advanced(by: 13))?.name == "b")
    }

    @Test("a script has its own interval and, from its second run on, its own time")
    func ownTimes() {
        var schedule = ScriptSchedule()
        _ = schedule.update(["a"], at: start)
        #expect(schedule.start(at: start)?.timeout == 10)
        schedule.ended(pause: 300, timeout: 45, at: start)
        #expect(schedule.nextAt == 1300)
        #expect(schedule.start(at: start.advanced(by: 300))?.timeout == 45)
        schedule.ended(pause: 300, timeout: nil, at: start.advanced(by: 300))
        #expect(schedule.start(at: start.advanced(by: 600))?.timeout == 45)
    }

    @Test("one that is gone is forgotten, also while it runs")
    func gone() {
        var schedule = ScriptSchedule()
        _ = schedule.update(["a", "b"], at: start)
        _ = schedule.start(at: start)
        #expect(schedule.update(["b"], at: start) == ["a"])
        #expect(!schedule.has("a") && schedule.has("b"))
        schedule.ended(pause: 1, timeout: 5, at: start)
        #expect(!schedule.has("a"))
        #expect(schedule.start(at: start)?.name == "b")
        #expect(schedule.update(["b"], at: start).isEmpty)
    }

    @Test("who has waited longest comes first")
    func fair() {
        var schedule = ScriptSchedule()
        _ = schedule.update(["a", "b"], at: start)
        _ = schedule.start(at: start)
        schedule.ended(pause: 1, timeout: nil, at: start)
        #expect(schedule.start(at: start.advanced(by: 100))?.name == "b")
    }

    /// Seconds until the next run after each of so many failures.
    private func pauses(_ count: Int, interval: Seconds, own: Seconds? = nil) -> [Seconds] {
        var schedule = ScriptSchedule()
        var now = start
        _ = schedule.update(["a"], at: now)
        if let own {
            _ = schedule.start(at: now)
            schedule.ended(pause: own, timeout: nil, at: now)
            now = now.advanced(by: own)
        }
        return (1...count).map { number in
            #expect(schedule.start(at: now) != nil)
            #expect(schedule.failed(interval: interval, at: now) == number)
            let pause = (schedule.nextAt ?? .infinity) - now.uptime
            now = now.advanced(by: pause)
            return pause
        }
    }

    @Test("after a fault a script is tried again soon, then ever later, up to its interval")
    func retries() {
        #expect(pauses(7, interval: 900) == [60, 120, 240, 480, 900, 900, 900])
        #expect(
            pauses(4, interval: 900, own: 10) == [10, 10, 240, 480], "it asked for ten seconds")
        #expect(pauses(2, interval: 900, own: 100) == [60, 100])
        #expect(pauses(20, interval: 86_400).last == 86_400)
    }

    @Test("a run that succeeds ends the count of failures")
    func recovered() {
        var schedule = ScriptSchedule()
        _ = schedule.update(["a"], at: start)
        for number in 1...3 {
            _ = schedule.start(at: start.advanced(by: 1000 * Double(number)))
            #expect(schedule.failed(interval: 60, at: start) == number)
        }
        _ = schedule.start(at: start.advanced(by: 5000))
        #expect(schedule.ended(pause: 60, timeout: nil, at: start) == 3)
        _ = schedule.start(at: start.advanced(by: 6000))
        #expect(schedule.failed(interval: 60, at: start) == 1)
    }
}
