import HomingDelivery
import HomingMachine
import HomingRuntime
import HomingSources
import HomingTestKit
import Testing

@testable import HomingAgent

/// Times at which sensors are read, and the readings that reach Home Assistant: the whole agent on
/// a virtual clock.
@Suite(.serialized) struct SensorStageTests {
    init() { LoopThread.start() }

    /// Returns what Home Assistant shows of a sensor: the item of its last update.
    @LoopActor private func shown(_ flight: VirtualAgent, _ id: String) -> String {
        flight.home.homeAssistant.sensors.shown[id] ?? "nothing"
    }

    @Test("A sensor that is enabled again is told soon, and again when its entity is there")
    @LoopActor func enabled() throws {
        let machine = try TemporaryFolder()
        try machine.write("6.1\n", to: "proc/sys/kernel/osrelease")
        let flight = try VirtualAgent(sensors: ["kernel"], files: HostFiles(root: machine.path))
        defer { flight.stop() }
        let accepted = { try flight.ledger(.sensors).accepted }
        flight.clock.pass(20)
        #expect(try accepted() == 1)
        flight.agent.home.sensors.setDisabled(["kernel"])
        flight.clock.pass(100)
        flight.agent.home.sensors.setDisabled([])
        flight.clock.pass(6)
        #expect(try accepted() == 2)
        flight.agent.home.sensors.setDisabled([])
        flight.clock.pass(60)
        #expect(try accepted() == 3)
        flight.clock.pass(3600)
        #expect(try accepted() == 3)
    }

    @Test("A sensor that was deleted in Home Assistant is told again soon after it is missed there")
    @LoopActor func deleted() throws {
        let machine = try TemporaryFolder()
        try machine.write("6.1\n", to: "proc/sys/kernel/osrelease")
        let flight = try VirtualAgent(sensors: ["kernel"], files: HostFiles(root: machine.path))
        defer { flight.stop() }
        let accepted = { try flight.ledger(.sensors).accepted }
        flight.clock.pass(120)
        #expect(try accepted() == 1)
        flight.agent.home.sensors.setKnown(["kernel"])
        flight.clock.pass(6)
        #expect(try accepted() == 1)
        flight.agent.home.sensors.setKnown(["tracker"])
        flight.clock.pass(6)
        #expect(try accepted() == 2)
    }

    @Test("A machine that stands still tells position and sensors together, once a heartbeat")
    @LoopActor func heartbeat() throws {
        let machine = try TemporaryFolder()
        let flight = try VirtualAgent(
            sensors: ["load_1m"], files: HostFiles(root: machine.path))
        defer { flight.stop() }
        var load = 0
        let look = {
            load += 1
            _ = try machine.write("\(load).00 0.00 0.00 1/100 1\n", to: "proc/loadavg")
        }
        try flight.stand(for: 3600, look: look)
        flight.home.forgetRequests()
        try flight.stand(for: 8 * 3600, look: look)
        let (sensors, positions) = flight.home.updates
        printFigure("\(sensors.count) updates of sensors with \(positions.count) positions in 8 h")
        // Every 900 s, when the receiver is looked at the next time.
        #expect(positions.count == 30 && sensors.count == 30)
        let distances = zip(sensors, positions).map { abs($0 - $1) }
        #expect(distances.allSatisfy { $0 < 1 }, "\(distances)")
    }

    @Test("Without heartbeats sensors are told every interval")
    @LoopActor func interval() throws {
        let machine = try TemporaryFolder()
        let flight = try VirtualAgent(
            sensors: ["load_1m"], files: HostFiles(root: machine.path))
        defer { flight.stop() }
        for load in 0..<60 {
            try machine.write("\(load).00 0.00 0.00 1/100 1\n", to: "proc/loadavg")
            flight.clock.pass(60)
        }
        let sensors = flight.home.updates.sensors
        #expect(
            zip(sensors.dropFirst(3), sensors.dropFirst(2)).allSatisfy { abs($0 - $1 - 900) < 1 })
        #expect(sensors.count >= 4)
    }

    @Test("A battery's charge is no message for each percent; the mains that go are one, at once")
    @LoopActor func battery() throws {
        let flight = try VirtualAgent(sensors: ["battery_level", "on_ac"], batchMetered: 0)
        defer { flight.stop() }
        let tell = { (charge: Int, onBattery: Bool) in
            flight.agent.machine.observe(
                .power(PowerState(batteryPercentage: Double(charge), onBattery: onBattery)))
        }
        tell(90, false)
        flight.clock.pass(60)
        flight.home.forgetRequests()
        tell(90, true)
        flight.clock.pass(2)
        #expect(flight.home.updates.sensors.count == 1)
        for charge in (60..<90).reversed() {
            tell(charge, true)
            flight.clock.pass(120)
        }
        // An hour has four ticks.
        #expect(flight.home.updates.sensors.count == 1 + 4)
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
        let devices = DeviceUseSource(folder: "\(machine.path)/dev", clock: flight.clock) {
            flight.observer.report(.devices)
        }
        devices.start()
        defer { devices.shutdown() }
        try machine.write("1\n", to: "sys/module/uvcvideo/refcnt")
        _ = try AtomicFile.read(device, limit: 1)
        let before = try flight.ledger(.sensors).accepted
        for _ in 0..<100 where try flight.ledger(.sensors).accepted == before {
            // The kernel tells by its own clock.
            await Watch.pause(0.1)
            flight.clock.pass(0.1)
        }
        #expect(try flight.ledger(.sensors).accepted == before + 1)
        flight.clock.pass(2)
        #expect(shown(flight, "camera_in_use").contains(#""state":true"#))
        devices.shutdown()
    }
}
