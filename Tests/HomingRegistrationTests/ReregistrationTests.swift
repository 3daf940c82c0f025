import HomingBase
import HomingRegistration
import Testing

@Suite struct ReregistrationTests {
    private let start = Moment(uptime: 1000, unixTime: 1_800_000_000)

    /// Returns a registration that has begun its first try.
    private func trying() -> Reregistration {
        var machine = Reregistration()
        #expect(machine.wanted(true, at: start) == [.register])
        return machine
    }

    @Test("A lost registration is replaced at once, and tried once at a time")
    func atOnce() {
        var machine = trying()
        #expect(machine.wanted(true, at: start).isEmpty)
        #expect(machine.wanted(false, at: start).isEmpty)
        #expect(machine.wanted(true, at: start.advanced(by: 1)).isEmpty)
        #expect(machine.timer(at: start.advanced(by: 2)).isEmpty)
    }

    @Test("While Home Assistant cannot be reached it is tried again, at longer and longer times")
    func unreachable() {
        var machine = trying()
        var now = start
        for wait in [60.0, 120, 240, 480, 960, 1920, 3600, 3600] {
            #expect(machine.ended(.unreachable, at: now) == [.wake(at: now.uptime + wait)])
            #expect(machine.timer(at: now.advanced(by: wait - 1)) == [.wake(at: now.uptime + wait)])
            now = now.advanced(by: wait)
            #expect(machine.timer(at: now) == [.register])
        }
    }

    @Test("A refusal is repeated after a day, lest this machine be banned")
    func refused() {
        var machine = trying()
        #expect(machine.ended(.refused, at: start) == [.wake(at: start.uptime + 86400)])
    }

    @Test("What mends itself is not registered again")
    func mendedItself() {
        var machine = trying()
        _ = machine.ended(.unreachable, at: start)
        #expect(machine.wanted(false, at: start.advanced(by: 30)).isEmpty)
        #expect(machine.timer(at: start.advanced(by: 60)).isEmpty)
        #expect(machine.wanted(true, at: start.advanced(by: 70)) == [.register])
    }

    @Test("A registration that is lost as soon as it is made is not made over and over")
    func noLoop() {
        var machine = trying()
        _ = machine.wanted(false, at: start)
        #expect(machine.ended(.registered, at: start).isEmpty)
        #expect(machine.wanted(true, at: start.advanced(by: 5)) == [.wake(at: start.uptime + 3600)])
        #expect(machine.timer(at: start.advanced(by: 3600)) == [.register])
    }

    @Test("After a person has registered, the next loss is tried at once")
    func byHand() {
        var machine = trying()
        _ = machine.ended(.refused, at: start)
        _ = machine.wanted(false, at: start.advanced(by: 10))
        machine.registeredByHand()
        #expect(machine.wanted(true, at: start.advanced(by: 20)) == [.register])
    }
}
