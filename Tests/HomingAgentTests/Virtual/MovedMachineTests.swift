import HomeAssistantAPI
import HomingControl
import HomingDelivery
import HomingHealth
import HomingRegistration
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// A disk that starts on another machine, while positions go on.
@Suite(.serialized) struct MovedMachineTests {
    private let first: TemporaryFolder
    private let second: TemporaryFolder

    init() throws {
        LoopThread.start()
        (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        try first.write("10000000abcdef01", to: "proc/device-tree/serial-number")
        try second.write("10000000abcdef02", to: "proc/device-tree/serial-number")
    }

    @LoopActor private func isWarned(_ flight: VirtualAgent) -> Bool {
        flight.warnings.contains { $0.warnable == .anotherMachine }
    }

    @Test("Nothing is sent from another machine, and nothing is lost once a person has spoken")
    @LoopActor func moved() throws {
        let flight = try VirtualAgent(files: HostFiles(root: first.path))
        defer { flight.stop() }
        flight.drive(for: 600)
        #expect(try flight.drain(within: 600) != nil && !isWarned(flight))
        flight.drive()
        let told = flight.home.homeAssistant.live.count + flight.home.homeAssistant.track.count
        for _ in 0..<3 {
            try flight.restart(on: HostFiles(root: second.path))
            #expect(isWarned(flight))
            flight.drive(for: 1200)
            flight.clock.pass(3600)
        }
        let now = flight.home.homeAssistant.live.count + flight.home.homeAssistant.track.count
        #expect(now == told, "something was sent")
        #expect(try flight.positions().queued > 100)
        let line = StatusLine.text([flight.agent.home.state])
        #expect(line.contains("another machine") && line.contains("waiting"), "\(line)")
        #expect(flight.agent.home.mayBeShared, "its tokens are not revoked")
        _ = try flight.agent.home.keepRegistration()
        #expect(!isWarned(flight))
        #expect(try flight.drain(within: 3600) != nil)
        #expect(try flight.violations() == [])
        try flight.restart()
        #expect(!isWarned(flight))
    }

    @Test("A disk that comes back sends what was queued on both machines, each once")
    @LoopActor func back() throws {
        let flight = try VirtualAgent(files: HostFiles(root: first.path))
        defer { flight.stop() }
        flight.home.homeAssistant.condition = .down
        flight.drive(for: 600)
        try flight.restart(on: HostFiles(root: second.path))
        flight.home.homeAssistant.condition = .running
        flight.drive(for: 600)
        try flight.restart(on: HostFiles(root: first.path))
        #expect(!isWarned(flight))
        #expect(try flight.drain(within: 3600) != nil)
        #expect(try flight.violations() == [])
    }

    @Test("What another machine had queued is dropped, and what was queued since then stays")
    @LoopActor func dropped() throws {
        let flight = try VirtualAgent(files: HostFiles(root: first.path))
        defer { flight.stop() }
        flight.home.homeAssistant.condition = .down
        flight.drive(for: 600)
        let before = try flight.positions().queued
        // The other board has no battery for its clock, and is two hours behind.
        flight.clock.step(by: -7200)
        try flight.restart(on: HostFiles(root: second.path))
        flight.drive(for: 300)
        let all = try flight.positions().queued
        #expect(before > 10 && all > before)
        try flight.agent.home.dropRowsOfOtherMachine()
        #expect(try flight.positions().queued == all - before)
        #expect(try flight.positions()[.expired] == before && flight.positions().balances)
    }

    @Test("After a kill between the new registration and the drop, the next start drops the rows")
    @LoopActor func cleared() throws {
        let flight = try VirtualAgent(files: HostFiles(root: first.path))
        defer { flight.stop() }
        flight.home.homeAssistant.condition = .down
        flight.drive(for: 600)
        let (home, before) = (flight.agent.home, try flight.positions().queued)
        let end = RegisteredMachine.QueueEnd(
            queue: home.queueID, rows: home.delivery.lastNumbers)
        flight.drive(for: 300)
        let own = try flight.positions().queued - before
        var registration = try #require(home.keeper.registration)
        registration.machine = RegisteredMachine(home.traits, clearing: end)
        home.keeper.update(registration)
        try flight.restart()
        #expect(before > 10 && own > 0)
        #expect(try flight.positions()[.expired] == before && flight.positions().queued == own)
        #expect(flight.agent.home.keeper.registration?.isOwn == true && !isWarned(flight))
        flight.home.homeAssistant.condition = .running
        #expect(try flight.drain(within: 3600) != nil && flight.violations() == [])
    }
}
