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

    @LoopActor private final class Readiness {
        var count = 0
    }

    @LoopActor private func watch(_ rig: PipelineRig) -> Readiness {
        let readiness = Readiness()
        rig.pipeline.onReadyForSleep = { readiness.count += 1 }
        return readiness
    }

    @Test("Sleep waits while something is being delivered, and no longer")
    @LoopActor func waits() throws {
        let rig = try PipelineRig()
        defer { rig.shutdown() }
        let readiness = watch(rig)
        rig.fix(north: 0)
        rig.pipeline.observe(.sleep(.preparing))
        #expect(readiness.count == 0)
        rig.pipeline.tell(.answer(.failed(.network("the server is silent"))))
        #expect(readiness.count == 1)
        rig.fix(north: 500)
        #expect(readiness.count == 1)
    }

    @Test("Where there is no way, the machine may sleep at once")
    @LoopActor func noWay() throws {
        let rig = try PipelineRig()
        defer { rig.shutdown() }
        let readiness = watch(rig)
        rig.pipeline.tell(.way([], networkChanged: true))
        rig.fix(north: 0)
        rig.pipeline.observe(.sleep(.preparing))
        #expect(readiness.count == 1)
    }

    @Test("Awake again, the way is tried at once, whatever the rest was to be")
    @LoopActor func awake() throws {
        let rig = try PipelineRig()
        defer { rig.shutdown() }
        rig.fix(north: 0)
        rig.pipeline.tell(.answer(.failed(.network("the server is silent"))))
        #expect(rig.pipeline.courier.nextAttempt != nil)
        rig.pipeline.observe(.sleep(.preparing))
        rig.pipeline.observe(.sleep(.awake))
        #expect(rig.pipeline.courier.isAtWork)
    }

    @Test("A sleep that does not come, because logind went away, is forgotten")
    @LoopActor func forgotten() throws {
        let rig = try PipelineRig()
        defer { rig.shutdown() }
        let readiness = watch(rig)
        rig.fix(north: 0)
        rig.pipeline.observe(.sleep(.preparing))
        rig.pipeline.observe(.sleep(.awake))
        rig.pipeline.tell(.answer(.failed(.network("the server is silent"))))
        #expect(readiness.count == 0)
    }
}
