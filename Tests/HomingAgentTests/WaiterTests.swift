import HomeAssistantAPI
import HomingDelivery
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Outcome that is told to somebody who waits for a report to get home.
@Suite struct WaiterTests {
    init() { LoopThread.start() }

    /// Record of how the report ended.
    @LoopActor private final class Record {
        var ending: RowWaiter.Ending?
    }

    /// Reports a zone and waits for it.
    @LoopActor private func reportZone(_ rig: HomeRig) -> Record {
        let record = Record()
        let waiter = RowWaiter(patience: 60, clock: SystemClock()) { record.ending = $0 }
        rig.home.sendZone("Work", for: waiter)
        return record
    }

    @Test("The zone that a person sent is known until another location is reported")
    @LoopActor func sentZone() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        _ = reportZone(rig)
        #expect(rig.home.state.sentZone == "Work")
        rig.fix(north: 0)
        #expect(rig.home.state.sentZone == nil)
    }

    @Test("The zone that a person sent is forgotten with its registration, not at a reload")
    @LoopActor func sentZoneOfRegistration() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        _ = reportZone(rig)
        var registration = try #require(rig.home.keeper.registration)
        rig.home.adopt(registration)
        #expect(rig.home.state.sentZone == "Work")
        registration.webhookID = "another"
        rig.home.adopt(registration)
        #expect(rig.home.state.sentZone == nil)
    }

    @Test("A report that waits for an answer is not answered for")
    @LoopActor func waiting() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        let record = reportZone(rig)
        rig.fix(north: 0)
        rig.home.delivery.expire()
        #expect(record.ending == nil)
    }

    @Test("A report that a newer position replaced was not queued")
    @LoopActor func superseded() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        let record = reportZone(rig)
        rig.fix(north: 0)
        rig.home.delivery.performCourierEffect(.store(.supersedeOlderPositions))
        #expect(record.ending == .settled(.superseded))
    }

    @Test("A report that a full outbox pushed out was not queued")
    @LoopActor func evicted() throws {
        let rig = try HomeRig(limit: 2)
        defer { rig.shutdown() }
        let record = reportZone(rig)
        rig.fix(north: 0)
        #expect(record.ending == nil)
        rig.fix(north: 100)
        #expect(record.ending == .settled(.evicted))
    }

    @Test("A report that waited too long was not queued")
    @LoopActor func expired() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        let record = reportZone(rig)
        rig.home.delivery.apply(Delivery.Settings(queueTTL: -1))
        rig.home.delivery.expire()
        #expect(record.ending == .settled(.expired))
    }

    @Test("A report that has become history is still waited for")
    @LoopActor func history() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        let record = reportZone(rig)
        rig.home.delivery.performCourierEffect(
            .store(.moveToHistory(acceptedBefore: .infinity, keepingNewest: false)))
        rig.home.delivery.expire()
        #expect(record.ending == nil)
        rig.home.delivery.performCourierEffect(
            .store(.settle([EntryID(.location, 1)], .deliveredTrack)))
        #expect(record.ending == .settled(.deliveredTrack))
    }

    @Test("At the daemon's end a report is queued only if there is a row of it")
    @LoopActor func end() throws {
        let rig = try HomeRig()
        let queued = reportZone(rig)
        let wanting = Record()
        let waiter = RowWaiter(patience: 60, clock: SystemClock()) { wanting.ending = $0 }
        rig.home.sendFix(for: waiter)
        rig.shutdown()
        #expect(queued.ending == .queued && wanting.ending == .noRow)
    }

    @Test("Where there is no route at all a report is queued at once")
    @LoopActor func noEndpoint() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.loseRoute()
        #expect(reportZone(rig).ending == .queued)
    }
}
