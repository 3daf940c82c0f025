import HomingControl
import HomingDelivery
import HomingJSON
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Events that somebody fires.
@Suite struct EventTests {
    init() { LoopThread.start() }

    private let now = Moment(uptime: 5, unixTime: 1_795_262_400.25)

    private func event(
        _ type: String = "t", _ data: [String: JSONValue] = [:], expires: Seconds? = nil
    ) throws -> FiredEvent {
        try FiredEvent(type: type, data: data, expires: expires, deviceID: "dev", at: now)
    }

    @Test("The data carries what makes it one of a kind, and what was given")
    func data() throws {
        let event = try event("t", ["level": .whole(5)], expires: 60)
        let data = JSONValue(json: Array(event.message.data.utf8))
        #expect(data?["level"] == .whole(5))
        #expect(data?["homing_id"] == .string(event.homingID) && event.homingID.count == 32)
        #expect(data?["homing_fired_at"] == .number(1_795_262_400.25))
        #expect(data?["device_id"] == .string("dev"))
        #expect(event.expiresAt == 1_795_262_460.25)
        #expect(try self.event().homingID != event.homingID)
        #expect(try self.event("t", ["device_id": .string("mine")]).message.data.contains("mine"))
    }

    /// The exit code with which an event is refused; `nil` if it is taken.
    private func refusal(_ body: () throws -> FiredEvent) -> ExitCode? {
        do {
            _ = try body()
            return nil
        } catch { return (error as? ControlError)?.exitCode }
    }

    @Test("A type of 64 characters is taken, a longer one and none are refused")
    func type() throws {
        #expect(try event(String(repeating: "ä", count: 64)).expiresAt == nil)
        // One to Swift, two to Home Assistant.
        let flags = String(repeating: "\u{1F1F3}\u{1F1F1}", count: 33)
        for type in [String(repeating: "x", count: 65), "", flags] {
            #expect(refusal { try event(type) } == .usage)
        }
    }

    @Test("Names of ours in the data and an expiry that is none are refused")
    func refused() {
        for name in FiredEvent.ownNames {
            #expect(refusal { try event("t", [name: .null]) } == .usage)
        }
        for expires in [0, -1, .infinity, .nan, 1e12] {
            #expect(refusal { try event(expires: expires) } == .usage)
        }
    }

    /// Record of how the wait ended.
    @LoopActor private final class Record {
        var ending: RowWaiter.Ending?
    }

    /// Fires an event and waits for it as `--wait` does.
    @LoopActor private func fire(
        _ rig: HomeRig, expires: Seconds? = nil
    ) throws -> (Record, EntryID) {
        let now = SystemClock.now()
        let event = try FiredEvent(
            type: "t", data: [:], expires: expires, deviceID: "d", at: now)
        let id = try #require(rig.home.delivery.fire(event.message, expiresAt: event.expiresAt))
        let record = Record()
        let waiter = RowWaiter(patience: nil, isStubborn: true, clock: SystemClock()) {
            record.ending = $0
        }
        rig.home.delivery.wait(for: id, waiter, expires: expires)
        return (record, id)
    }

    @Test("An event waits for its receipt, also where there is no route")
    @LoopActor func stubborn() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.loseRoute()
        let (record, id) = try fire(rig)
        rig.home.delivery.handleCourierEvent(.flush)
        #expect(record.ending == nil)
        rig.home.delivery.performCourierEffect(.store(.settle([id], .deliveredLive)))
        #expect(record.ending == .settled(.deliveredLive))
        #expect(!rig.home.delivery.isAwaited)
    }

    @Test("An event that expires is let go in its time, and whoever waits is told")
    @LoopActor func expires() async throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.loseRoute()
        let (record, _) = try fire(rig, expires: 0.05)
        while record.ending == nil { await Task.yield() }
        #expect(record.ending == .settled(.expired))
        #expect(rig.outbox.ledger(.events)[.expired] == 1)
        #expect(rig.outbox.ledger(.events).balances && !rig.home.delivery.isAwaited)
    }

    @Test("At the daemon's end whoever waits is told that it is queued")
    @LoopActor func end() throws {
        let rig = try HomeRig()
        let (record, _) = try fire(rig)
        rig.shutdown()
        #expect(record.ending == .queued)
    }
}
