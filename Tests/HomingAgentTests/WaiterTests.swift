import HomingDelivery
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// What somebody who waits for a report to get home is told.
@Suite struct WaiterTests {
    init() { LoopThread.start() }

    /// How the report ended.
    @LoopActor private final class Record {
        var ending: RowWaiter.Ending?
    }

    /// Reports a zone and waits for it.
    @LoopActor private func reportZone(_ rig: PipelineRig) -> Record {
        let record = Record()
        let waiter = RowWaiter(patience: 60) { record.ending = $0 }
        rig.pipeline.reportZone("Work", waiter: waiter)
        return record
    }

    @Test("A report that waits for an answer is not answered for")
    @LoopActor func waiting() throws {
        let rig = try PipelineRig()
        defer { rig.shutdown() }
        let record = reportZone(rig)
        rig.fix(north: 0)
        rig.pipeline.perform(.expire)
        #expect(record.ending == nil)
    }

    @Test("A report that a newer position replaced was not queued")
    @LoopActor func superseded() throws {
        let rig = try PipelineRig()
        defer { rig.shutdown() }
        let record = reportZone(rig)
        rig.fix(north: 0)
        rig.pipeline.perform(.supersedeOlderPositions)
        #expect(record.ending == .settled(.superseded))
    }

    @Test("A report that a full outbox pushed out was not queued")
    @LoopActor func evicted() throws {
        let rig = try PipelineRig(limit: 2)
        defer { rig.shutdown() }
        let record = reportZone(rig)
        rig.fix(north: 0)
        #expect(record.ending == nil)
        rig.fix(north: 100)
        #expect(record.ending == .settled(.evicted))
    }

    @Test("A report that waited too long was not queued")
    @LoopActor func expired() throws {
        let rig = try PipelineRig()
        defer { rig.shutdown() }
        let record = reportZone(rig)
        rig.pipeline.queueTTL = -1
        rig.pipeline.perform(.expire)
        #expect(record.ending == .settled(.expired))
    }

    @Test("A report that has become history is still waited for")
    @LoopActor func history() throws {
        let rig = try PipelineRig()
        defer { rig.shutdown() }
        let record = reportZone(rig)
        rig.pipeline.perform(.moveToTrack(acceptedBefore: .infinity, keepingNewest: false))
        rig.pipeline.perform(.expire)
        #expect(record.ending == nil)
        rig.pipeline.perform(.settle([EntryID(.location, 1)], .deliveredTrack))
        #expect(record.ending == .settled(.deliveredTrack))
    }

    @Test("At the daemon's end a report is queued only if there is a row of it")
    @LoopActor func end() throws {
        let rig = try PipelineRig()
        let queued = reportZone(rig)
        let wanting = Record()
        let waiter = RowWaiter(patience: 60) { wanting.ending = $0 }
        rig.pipeline.reportPosition(waiter: waiter)
        rig.shutdown()
        #expect(queued.ending == .queued && wanting.ending == .noRow)
    }

    @Test("Where there is no way at all a report is queued at once")
    @LoopActor func noWay() throws {
        let rig = try PipelineRig()
        defer { rig.shutdown() }
        rig.pipeline.transport = nil
        rig.pipeline.updateWay(networkChanged: true)
        #expect(reportZone(rig).ending == .queued)
    }
}
