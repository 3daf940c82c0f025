import HomingLocation
import HomingMachine
import HomingRuntime
import HomingSensors
import HomingTestKit
import Testing

@testable import HomingAgent

/// Times at which the machine's sensors are read, for all homes together.
@Suite struct SensorReaderTests {
    init() { LoopThread.start() }

    /// Reads how busy a machine is, and keeps what comes of it.
    @LoopActor private final class Bench {
        let clock = VirtualClock(uptime: 1e8)
        private let folder: TemporaryFolder
        private(set) var reader: SensorReader!
        /// Number of readings of all sensors: the network is asked with each reading.
        private(set) var readings = 0
        /// Number of questions to the receiver about what it sees.
        private(set) var looks = 0
        /// The unique ids of each reading.
        private(set) var given: [[String]] = []

        init(_ sensor: String = "load_1m") throws {
            folder = try TemporaryFolder()
            try write("1.00 2.00 3.00 1/100 1")
            let choice = SensorChoice(enable: [sensor], disable: ["all"])
            reader = SensorReader(
                SensorReader.Settings(choice: choice, interval: 900, scripts: nil),
                files: HostFiles(root: folder.path), clock: clock,
                refresh: { [weak self] in self?.readings += 1 },
                lookAtSky: { [weak self] in
                    self?.looks += 1
                    self?.reader.handleObservation(.sky(SkyView(used: 7, seen: 9, hdop: 1)))
                },
                report: { [weak self] in
                    guard case .readings(let round) = $0 else { return }
                    self?.given.append(round.readings.map(\.sensor.uniqueID))
                })
        }

        func write(_ load: String) throws { try folder.write("\(load)\n", to: "proc/loadavg") }

        func heartbeat() { reader.readWithHeartbeat(900, stillInterval: 120) }
    }

    @Test("The heartbeats of two homes with the same fix lead to one reading")
    @LoopActor func shared() throws {
        let bench = try Bench()
        bench.clock.pass(100)
        #expect(bench.readings == 1)
        bench.heartbeat()
        bench.heartbeat()
        bench.clock.pass(0.5)
        bench.heartbeat()
        #expect(bench.readings == 2 && bench.given.count == 2)
        bench.clock.pass(1)
        bench.heartbeat()
        #expect(bench.readings == 3, "a second later it is another one")
        bench.clock.pass(900 + 120 + 59)
        #expect(bench.readings == 3)
        bench.clock.pass(2)
        #expect(bench.readings == 4)
        bench.reader.shutdown()
    }

    @Test("The receiver is asked what it sees where a satellite sensor is read, and nowhere else")
    @LoopActor func sky() throws {
        let other = try Bench()
        other.clock.pass(1000)
        #expect(other.readings == 2 && other.looks == 0)
        other.reader.shutdown()
        let bench = try Bench("gps_satellites_used")
        bench.clock.pass(899)
        #expect(bench.readings == 1 && bench.looks == 1)
        #expect(bench.given == [["gps_satellites_used"]], "the view is of this very moment")
        bench.reader.handleObservation(.gpsd(.watching(receivers: 1)))
        bench.clock.pass(3)
        #expect(bench.looks == 2)
        bench.reader.shutdown()
    }

    @Test("A heartbeat that reads nothing leaves a reading that was asked for where it was")
    @LoopActor func asked() throws {
        let bench = try Bench()
        bench.clock.pass(100)
        bench.heartbeat()
        bench.reader.tick(after: 5)
        bench.heartbeat()
        #expect(bench.readings == 2)
        bench.clock.pass(5)
        #expect(bench.readings == 3)
        bench.reader.shutdown()
    }

    @Test("A sensor that fails is switched off for an hour by the clock that it is read by")
    @LoopActor func rest() throws {
        let bench = try Bench()
        try bench.write("much")
        // Ticks at 5, 905 and 1805 s.
        bench.clock.pass(1900)
        try bench.write("1.00 2.00 3.00 1/100 1")
        bench.clock.pass(3500)
        #expect(bench.given == [[], [], [], [], [], []])
        bench.clock.pass(10)
        #expect(bench.given.last == ["load_1m"])
        bench.reader.shutdown()
    }
}
