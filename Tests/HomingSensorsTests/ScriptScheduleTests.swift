import HomingCore
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
}
