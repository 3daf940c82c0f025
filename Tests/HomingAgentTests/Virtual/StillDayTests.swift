import Glibc
import HomeAssistantAPI
import HomingConfiguration
import HomingDelivery
import HomingMachine
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Cost of a day during which the machine stands still. The machine is a laptop with all that is on
/// by default, on a virtual clock. `HOMING_BENCH_DAY=FILE` appends a line for each configuration,
/// for `make bench`.
@Suite(.serialized) struct StillDayTests {
    private static let day: Seconds = 86_400
    /// Webhook id in Home Assistant's form.
    private static let webhookID = String(repeating: "b", count: 64)
    private static let deviceID = String(repeating: "0123456789abcdef", count: 2)

    private let machine: TemporaryFolder

    init() throws {
        LoopThread.start()
        // Its files change at each look, and are synced.
        machine = try TemporaryFolder(in: "/dev/shm")
        let tests = #filePath.components(before: "/HomingAgentTests/")
        try copy("\(tests)/HomingSensorsTests/Machines/laptop", to: "")
    }

    @Test(
        "A still day with the default configuration costs half a megabyte at most",
        arguments: [true, false])
    @LoopActor func byDefault(withChannel: Bool) throws {
        let flight = try VirtualAgent(
            sensors: nil, files: HostFiles(root: machine.path),
            registration: registration)
        defer { flight.stop() }
        let scale = try weighed(flight, bySocket: withChannel)
        let (_, positions) = flight.home.updates
        printFigure("\(scale.bytes) bytes, \(scale.kindsText)")
        try record(withChannel ? "default" : "default without the channel", scale.bytes)
        #expect((90...97).contains(positions.count))
        #expect(flight.home.homeAssistant.sensors.shown.count > 15)
        #expect(scale.bytes < 500_000)
        #expect(try flight.positions().queued == 0)
    }

    @Test(
        "A still day on which data is saved costs 70 kB with the channel, and 50 kB without",
        arguments: [(true, 70_000), (false, 50_000)])
    @LoopActor func withThrift(withChannel: Bool, most: Int) throws {
        let flight = try VirtualAgent(
            sensors: nil, files: HostFiles(root: machine.path), registration: registration
        ) { $0.thrift.mode = .on }
        defer { flight.stop() }
        let scale = try weighed(flight, bySocket: withChannel)
        printFigure("\(scale.bytes) bytes while data is saved, \(scale.kindsText)")
        try record(
            withChannel ? "thrift with the channel" : "thrift without the channel", scale.bytes)
        #expect((10...13).contains(flight.home.updates.positions.count))
        #expect((1...5).contains(flight.home.updates.sensors.count))
        #expect(scale.bytes < most)
        #expect(try flight.positions().queued == 0)
    }

    private var registration: Registration {
        Registration(
            instanceURL: "http://homeassistant.local:8123", cloudhookURL: nil, remoteUIURL: nil,
            webhookID: Self.webhookID, secret: String(repeating: "ab", count: 32),
            deviceID: Self.deviceID, deviceName: "Laptop", homeNetworks: [], authorization: nil)
    }

    /// The day, after an hour in which everything was registered.
    @LoopActor private func weighed(_ flight: VirtualAgent, bySocket: Bool) throws -> Scale {
        flight.agent.machine.observe(
            .power(PowerState(batteryPercentage: 100, onBattery: false)))
        var looks = 0
        let look = {
            looks += 1
            try live(looks)
        }
        try flight.stand(for: 3600, look: look)
        flight.home.forgetRequests()
        let scale = try Scale(try #require(flight.home.parts), bySocket: bySocket) {
            flight.home.homeAssistant.sensors.shown.count
        }
        flight.home.scale = scale
        try flight.stand(for: Self.day, look: look)
        if bySocket { scale.keepChannel(for: Self.day) }
        return scale
    }

    /// Changes everything that changes all the time: load, memory, temperatures, fans.
    private func live(_ number: Int) throws {
        let load = "0.\(10 + number % 80)"
        try machine.write("\(load) \(load) 0.20 1/900 \(number)\n", to: "proc/loadavg")
        try machine.write(
            "cpu  \(number * 900) 0 \(number * 300) \(number * 9000) 0 0 0 0 0 0\nbtime 1700000000\n",
            to: "proc/stat")
        try machine.write(
            "MemTotal: 16000000 kB\nMemFree: 900000 kB\nMemAvailable: \(9_000_000 + number * 7919 % 900_000) kB\n"
                + "SwapTotal: 2000000 kB\nSwapFree: \(1_900_000 - number * 13 % 90_000) kB\n",
            to: "proc/meminfo")
        let degrees = "\(45_000 + number * 737 % 9000)\n"
        for file in Self.warm { try machine.write(degrees, to: file) }
        try machine.write("\(2100 + number * 31 % 400)\n", to: "sys/class/hwmon/hwmon4/fan1_input")
    }

    private static let warm = [
        "sys/class/hwmon/hwmon5/temp1_input", "sys/class/hwmon/hwmon3/temp1_input",
        "sys/class/thermal/thermal_zone9/temp", "sys/class/thermal/thermal_zone0/temp",
    ]

    private func copy(_ source: String, to target: String) throws {
        for name in try Folders.names(in: source) {
            let (from, to) = ("\(source)/\(name)", target.isEmpty ? name : "\(target)/\(name)")
            var status = stat()
            guard stat(from, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                try copy(from, to: to)
            } else {
                let text = String(
                    decoding: try AtomicFile.read(from, limit: 4 << 20), as: UTF8.self)
                try machine.write(text, to: to)
            }
        }
    }

    private func record(_ configuration: String, _ bytes: Int) throws {
        guard let path = getenv("HOMING_BENCH_DAY") else { return }
        let file = try #require(fopen(path, "a"))
        fputs("{\"configuration\": \"\(configuration)\", \"bytes\": \(bytes)}\n", file)
        fclose(file)
    }
}

extension String {
    /// Returns the part before the first place of a text.
    fileprivate func components(before text: String) -> String {
        guard let range = ranges(of: text).first else { return self }
        return String(self[..<range.lowerBound])
    }
}
