import HomingBase
import HomingConfiguration
import HomingDelivery
import HomingHealth
import HomingLocation
import HomingMachine
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Saving data, with the whole agent on a virtual clock.
@Suite(.serialized) struct ThriftFlightTests {
    init() { LoopThread.start() }

    private static let day: Seconds = 86_400
    /// Noon of a day in Greenwich, by which tests run.
    private static let noon: Seconds = 1_800_014_400

    private static func network(metered: Bool) -> Observation {
        .network(
            .known(
                .init(
                    primary: .other(type: "gsm", id: "sim", uuid: "1"), connectivity: .full,
                    metered: metered)))
    }

    @Test("An hour of driving with thrift costs less than 150 kB, and nothing of it is lost")
    @LoopActor func drive() throws {
        let flight = try VirtualAgent(unixTime: Self.noon) { $0.thrift.mode = .on }
        defer { flight.stop() }
        flight.drive(for: 600, every: 4)
        let scale = try Scale(try #require(flight.home.parts), bySocket: false) { 0 }
        flight.home.scale = scale
        flight.drive(for: 3600, every: 4)
        printFigure("\(scale.bytes) bytes, an hour at 25 m/s with thrift, \(scale.kindsText)")
        #expect(scale.bytes <= 150_000)
        flight.clock.pass(3600)
        let ledger = try flight.positions()
        #expect(ledger.queued == 0)
        #expect(ledger[.deliveredTrack] > 10 * ledger[.deliveredLive])
        #expect(try flight.violations().isEmpty)
    }

    @Test("In a quiet hour what is asked for is sent at once, and everything else afterwards")
    @LoopActor func quiet() throws {
        let now = CalendarTime(local: Self.noon)
        let begin = now.secondOfDay
        let hours = try #require(
            QuietHours(begin: (begin + 79_200) % 86_400, end: (begin + 7200) % 86_400))
        let flight = try VirtualAgent(unixTime: Self.noon) {
            $0.thrift.mode = .on
            $0.thrift.quiet = hours
        }
        defer { flight.stop() }
        flight.drive(for: 60)
        flight.home.forgetRequests()
        flight.carry(2000)
        flight.drive(for: 3600, every: 60)
        #expect(flight.home.requests.isEmpty, "\(flight.home.requests)")
        flight.agent.home.positions.requestFix()
        flight.drive(for: 60)
        #expect(!flight.home.requests.isEmpty)
        flight.home.forgetRequests()
        flight.drive(for: 1800, every: 60)
        #expect(flight.home.requests.isEmpty)
        flight.clock.pass(3600)
        #expect(!flight.home.requests.isEmpty)
        #expect(try flight.positions().queued == 0)
        #expect(try flight.violations().isEmpty)
    }

    @Test("A budget that is used up stops the heartbeat, raises a warning, and ends with the month")
    @LoopActor func spent() throws {
        // Away from home, where plain HTTP leads nowhere.
        let flight = try VirtualAgent(
            unixTime: Self.noon, registration: HomeRig.registration("https://home.example.org")
        ) {
            $0.thrift.mode = .auto
            $0.thrift.budget = 10
        }
        defer { flight.stop() }
        flight.agent.machine.observe(Self.network(metered: true))
        flight.stand(for: 7200) {}
        #expect(flight.agent.machine.state.thrift?.factor == 1)
        #expect(!flight.home.requests.isEmpty)
        flight.meter.total += 10_000_000
        flight.clock.pass(3700)
        #expect(flight.agent.machine.state.thrift?.isSpent == true)
        #expect(flight.warnings.contains { $0.warnable == .dataBudgetShort })
        flight.stand(for: 600) {}
        flight.home.forgetRequests()
        flight.stand(for: 2 * Self.day) {}
        #expect(flight.home.requests.isEmpty, "\(flight.home.requests.count)")
        flight.stand(for: 31 * Self.day) {}
        #expect(flight.agent.machine.state.thrift?.isSpent == false)
        #expect(!flight.warnings.contains { $0.warnable == .dataBudgetShort })
        let positions = try flight.positions()
        #expect(!flight.home.requests.isEmpty, "\(positions)")
    }

    @Test("The count is on the disk within an hour though sensors are read more often")
    @LoopActor func written() throws {
        let machine = try TemporaryFolder()
        try machine.write("6.1\n", to: "proc/sys/kernel/osrelease")
        let flight = try VirtualAgent(
            unixTime: Self.noon, sensors: ["kernel"], files: HostFiles(root: machine.path))
        defer { flight.stop() }
        flight.clock.pass(3000)
        flight.meter.total += 4_000_000
        flight.clock.pass(2 * 3600)
        let file = String(
            decoding: try AtomicFile.read(flight.machineFile("data-use.json")), as: UTF8.self)
        #expect(file.contains("4000000"), "\(file)")
    }

    @Test("A month that begins while the machine sleeps begins at 0")
    @LoopActor func monthOverSleep() throws {
        // Noon of the last of the month.
        let flight = try VirtualAgent(unixTime: Self.noon + 16 * Self.day) {
            $0.sensors.interval = Self.day
            $0.thrift.mode = .on
            $0.thrift.budget = 10
        }
        defer { flight.stop() }
        flight.meter.total += 10_000_000
        flight.clock.pass(3700)
        #expect(flight.agent.machine.state.thrift?.isSpent == true)
        flight.agent.machine.observe(.sleep(.preparing))
        flight.clock.sleep(2 * Self.day)
        flight.agent.machine.observe(.sleep(.awake))
        flight.clock.pass(2)
        #expect(flight.agent.machine.state.thrift?.isSpent == false)
        #expect(flight.agent.machine.state.dataUse.total == 0)
    }

    @Test("Where there is no network, or none is known, the last one counts")
    @LoopActor func gap() throws {
        let flight = try VirtualAgent(unixTime: Self.noon) { $0.thrift.mode = .auto }
        defer { flight.stop() }
        func gone(hasAddress: Bool) -> NetworkState {
            .known(
                .init(
                    primary: nil, connectivity: .none, metered: false, hasAddress: hasAddress))
        }
        flight.agent.machine.observe(Self.network(metered: true))
        flight.clock.pass(10)
        // An address may be that of the boat's own network.
        for state in [gone(hasAddress: false), gone(hasAddress: true), .unknown] {
            flight.agent.machine.observe(.network(state))
            flight.clock.pass(10)
            flight.meter.total += 1000
            #expect(flight.agent.machine.state.thrift?.cause == .metered)
        }
        flight.agent.machine.observe(Self.network(metered: false))
        flight.clock.pass(10)
        #expect(flight.agent.machine.state.thrift == nil)
        #expect(flight.agent.machine.state.dataUse.metered == 3000)
    }

    @Test("A daemon that starts with a budget that is used up says so")
    @LoopActor func spentAtStart() throws {
        let flight = try VirtualAgent(unixTime: Self.noon) {
            $0.thrift.mode = .on
            $0.thrift.budget = 10
        }
        defer { flight.stop() }
        flight.meter.total += 11_000_000
        flight.clock.pass(20)
        try flight.restart()
        #expect(flight.warnings.contains { $0.warnable == .dataBudgetShort })
    }

    @Test("What was used is known after a restart, and counted on the network that carried it")
    @LoopActor func restart() throws {
        let flight = try VirtualAgent(unixTime: Self.noon)
        defer { flight.stop() }
        flight.agent.machine.observe(Self.network(metered: true))
        flight.clock.pass(20)
        flight.meter.total += 1_500_000
        flight.agent.machine.observe(
            .network(
                .known(
                    .init(
                        primary: .wifi(ssid: "Pier", bssid: nil), connectivity: .full,
                        metered: false))))
        flight.clock.pass(20)
        flight.meter.total += 200_000
        try flight.restart()
        let use = flight.agent.machine.state.dataUse
        #expect(use.used(by: .mobile) == 1_500_000)
        #expect(use.used(by: .wifi) == 200_000)
        #expect(use.metered == 1_500_000)
    }
}
