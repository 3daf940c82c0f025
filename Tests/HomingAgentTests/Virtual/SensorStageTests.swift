import HomingCore
import HomingRuntime
import HomingSources
import HomingStorage
import HomingTestKit
import Testing

@testable import HomingAgent

/// When sensors are read, and what of it reaches Home Assistant: the whole agent on a virtual clock.
@Suite(.serialized) struct SensorStageTests {
    init() { LoopThread.start() }

    /// Waits in real time, for what the kernel tells.
    @LoopActor private func wait(_ seconds: Seconds) async {
        var timer: Watch?
        await withCheckedContinuation { continuation in
            timer = Watch.timer(seconds) {
                continuation.resume()
                return .done
            }
        }
        timer?.cancel()
    }

    /// What Home Assistant shows of a sensor: the item of its last update.
    @LoopActor private func shown(_ flight: VirtualAgent, _ id: String) -> String {
        flight.home.homeAssistant.sensors.shown[id] ?? "nothing"
    }

    @Test("A sensor that is enabled again is told soon, and again when its entity is there")
    @LoopActor func enabled() throws {
        let machine = try TemporaryFolder()
        try machine.write("6.1\n", to: "proc/sys/kernel/osrelease")
        let flight = try VirtualAgent(sensors: ["kernel"], files: HostFiles(root: machine.path))
        defer { flight.stop() }
        let accepted = { try flight.agent.outbox.ledger(.sensors).accepted }
        flight.clock.pass(20)
        #expect(try accepted() == 1)
        flight.agent.sensors.setDisabled(["kernel"])
        flight.clock.pass(100)
        flight.agent.sensors.setDisabled([])
        flight.clock.pass(6)
        #expect(try accepted() == 2)
        flight.agent.sensors.setDisabled([])
        flight.clock.pass(60)
        #expect(try accepted() == 3)
        flight.clock.pass(3600)
        #expect(try accepted() == 3)
    }

    @Test("A camera that is opened is told at once, long before the next tick")
    @LoopActor func camera() async throws {
        let machine = try TemporaryFolder()
        let device = try machine.write("", to: "dev/video0")
        try machine.write("", to: "sys/class/video4linux/video0/name")
        try machine.write("0\n", to: "sys/module/uvcvideo/refcnt")
        let flight = try VirtualAgent(
            sensors: ["camera_in_use"], files: HostFiles(root: machine.path))
        defer { flight.stop() }
        flight.clock.pass(20)
        #expect(shown(flight, "camera_in_use").contains(#""state":false"#))
        let devices = flight.agent.sources.devices
        devices.start()
        try machine.write("1\n", to: "sys/module/uvcvideo/refcnt")
        _ = try AtomicFile.read(device, limit: 1)
        let before = try flight.agent.outbox.ledger(.sensors).accepted
        for _ in 0..<100 where try flight.agent.outbox.ledger(.sensors).accepted == before {
            await wait(0.1)
        }
        #expect(try flight.agent.outbox.ledger(.sensors).accepted == before + 1)
        flight.clock.pass(2)
        #expect(shown(flight, "camera_in_use").contains(#""state":true"#))
        devices.shutdown()
    }
}
