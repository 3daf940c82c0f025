import HomingDelivery
import HomingMachine
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// The machine goes to sleep, and wakes up.
@Suite struct SleepTests {
    init() { LoopThread.start() }

    @Test("Sleep waits while something is being delivered, and no longer")
    @LoopActor func waits() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.fix(north: 0)
        rig.machine.observe(.sleep(.preparing))
        #expect(rig.drained == 0)
        rig.home.delivery.handleCourierEvent(.answer(.failed(.network("the server is silent"))))
        #expect(rig.drained == 1)
        rig.fix(north: 500)
        #expect(rig.drained == 1)
    }

    @Test("Rows are on the disk before sleep also where Home Assistant is silent")
    @LoopActor func written() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.fix(north: 0)
        let before = rig.outbox.spills
        rig.machine.observe(.sleep(.preparing))
        #expect(rig.drained == 0 && rig.outbox.spills == before + 1)
        rig.home.delivery.handleCourierEvent(.answer(.failed(.network("the server is silent"))))
        #expect(rig.drained == 1)
    }

    @Test("Where there is no route, the machine may sleep at once")
    @LoopActor func noEndpoint() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.home.delivery.handleCourierEvent(.route([], networkChanged: true))
        rig.fix(north: 0)
        rig.machine.observe(.sleep(.preparing))
        #expect(rig.drained == 1)
    }

    @Test("Awake again, the route is tried at once, whatever the rest was to be")
    @LoopActor func awake() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.fix(north: 0)
        rig.home.delivery.handleCourierEvent(.answer(.failed(.network("the server is silent"))))
        #expect(rig.home.delivery.state.nextAttempt != nil)
        rig.machine.observe(.sleep(.preparing))
        rig.machine.observe(.sleep(.awake))
        #expect(rig.home.delivery.state.isAtWork)
    }

    @Test("A sleep that does not come, because logind went away, is forgotten")
    @LoopActor func forgotten() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.fix(north: 0)
        rig.machine.observe(.sleep(.preparing))
        rig.machine.observe(.sleep(.awake))
        rig.home.delivery.handleCourierEvent(.answer(.failed(.network("the server is silent"))))
        #expect(rig.drained == 0)
    }
}
