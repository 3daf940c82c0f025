import Glibc
import HomeAssistantAPI
import HomingConfiguration
import HomingDelivery
import HomingHealth
import HomingLocation
import HomingMachine
import HomingPush
import HomingRegistration
import HomingRuntime
import HomingSettings
import HomingSources
import HomingTestKit
import Testing

@testable import HomingAgent

/// A meter of data that shows what a test says.
@LoopActor final class PlayedMeter {
    var total = 0
}

/// The whole agent on a virtual clock: its own outbox in files, a Home Assistant that is played, and
/// sources that say what a test says.
@LoopActor final class VirtualAgent {
    let clock: VirtualClock
    let home: PlayedHome
    private(set) var agent: Agent
    /// Observer of the agent's machine.
    private(set) var observer: PlayedObserver
    private let folder: TemporaryFolder
    private var configuration: Configuration
    private var files: HostFiles
    private let seed: UInt64
    /// Meter of the data that the daemon's connections are said to have used.
    let meter = PlayedMeter()
    private var metres = 0.0

    /// - Parameters:
    ///   - round: for another seed in each round of a test.
    ///   - unixTime: what the wall clock says.
    ///   - maxSize: of the outbox, in MiB.
    ///   - sensors: unique ids of those that are on; `nil` for those that are by default.
    ///   - files: what they read.
    ///   - batchMetered: seconds that rows wait for company on battery.
    ///   - registration: in place of a sealed one with a Home Assistant at home.
    ///   - gpsd: the port of this machine where a gpsd is watched, by the real source.
    ///   - push: when the push channel is open; its sockets are real.
    ///   - relay: when a relay is connected; its sockets are real.
    ///   - relayCommands: what an order by the relay may do.
    ///   - scripts: the folder of scripts that run as real processes.
    ///   - lookUps: whether there is a look-up service.
    ///   - change: made to the configuration that follows from all these.
    init(
        round: Int = 0, unixTime: Seconds = 1_800_000_000, maxSize: Int = 32,
        durability: Configuration.Outbox.Durability = .powerLoss,
        sensors: [String]? = [], files: HostFiles = HostFiles(),
        batchMetered: Seconds = 60, registration: Registration? = nil,
        gpsd: UInt16? = nil, push: PushMode = .off, relay: RelayMode = .auto,
        relayCommands: [String] = [], scripts: String? = nil, lookUps: Bool = false,
        change: (inout Configuration) -> Void = { _ in }
    ) throws {
        var configuration = Configuration()
        configuration.gpsd.enabled = gpsd != nil
        configuration.geoclue.enabled = lookUps
        configuration.gpsd.host = "127.0.0.1"
        configuration.gpsd.port = Int(gpsd ?? 0)
        configuration.sensors.disable = sensors == nil ? [] : ["all"]
        configuration.sensors.enable = sensors ?? []
        configuration.push.mode = push
        configuration.push.relay = relay
        configuration.push.relayCommands = relayCommands
        configuration.sensors.scripts = scripts
        configuration.location.batchMetered = batchMetered
        configuration.outbox.maxSize = maxSize
        configuration.outbox.durability = durability
        change(&configuration)
        self.configuration = configuration
        self.files = files
        clock = VirtualClock(unixTime: unixTime)
        home = PlayedHome(clock)
        // A sync is as fast as the machine: what is shown here is not the disk.
        folder = try TemporaryFolder(in: "/dev/shm")
        try RegistrationStore(directory: folder.path, credentials: HomeRig.credentials).save(
            registration ?? HomeRig.registration("http://homeassistant.local:8123"))
        seed = TestRun.seed() &+ UInt64(round)
        print("HOMING_SEED=\(seed): a virtual agent")
        (agent, observer) = try Self.agent(
            configuration, clock, home, folder, seed, files, meter)
    }

    private static func agent(
        _ configuration: Configuration, _ clock: VirtualClock, _ home: PlayedHome,
        _ folder: TemporaryFolder, _ seed: UInt64, _ files: HostFiles, _ meter: PlayedMeter
    ) throws -> (Agent, PlayedObserver) {
        var observer: PlayedObserver?
        let agent = try Agent(
            configuration: Configuration.table.loaded(configuration, first: "home"),
            in: Surroundings(
                clock: clock, folders: (state: folder.path, runtime: folder.path),
                files: files, dataUsed: { meter.total }, seed: seed,
                observer: {
                    let source = GPSDSource(
                        host: $0.host, port: UInt16($0.port), clock: $2, deliver: $3)
                    let played = PlayedObserver($3, gpsd: $0.enabled ? source : nil)
                    observer = played
                    return played
                },
                transport: { parts in
                    home.parts = parts
                    return home
                }))
        agent.begin()
        agent.machine.start()
        return (agent, try #require(observer))
    }

    /// Stops it and starts it again, with another configuration, or on a machine with other files.
    func restart(
        on machine: HostFiles? = nil, with change: (inout Configuration) -> Void = { _ in }
    ) throws {
        agent.stop()
        files = machine ?? files
        change(&configuration)
        (agent, observer) = try Self.agent(
            configuration, clock, home, folder, seed, files, meter)
    }

    func stop() { agent.stop() }

    /// Lets the loop turn until that is so: sockets and processes are real, and virtual time stands
    /// still meanwhile.
    func turn(until isSo: () throws -> Bool) async throws {
        let deadline = SystemClock.now().uptime + Patience.moment
        while try !isSo() {
            try #require(SystemClock.now().uptime < deadline, "it did not come about")
            await Watch.pause(0.001)
        }
    }

    /// A hundred metres on, and a fix there with the time that satellites have.
    ///
    /// - Parameter wrongBy: what the wall clock is ahead of that.
    func drive(wrongBy error: Seconds = 0) { agent.machine.observe(report(wrongBy: error)) }

    /// The same, as what the receiver says.
    func report(wrongBy error: Seconds = 0) -> Observation {
        metres += 100
        return fix(wrongBy: error, speed: 100)
    }

    /// A fix so far from where the machine is.
    func fix(
        off distance: Double = 0, wrongBy error: Seconds = 0, accuracy: Double = 5,
        speed: Double? = nil
    ) -> Observation {
        .position(
            PositionReport(
                mode: .threeDimensional, time: clock.now().unixTime - error,
                latitude: 10 + (metres + distance) / 111_195, longitude: 4.9,
                accuracy: accuracy, speed: speed))
    }

    /// The same from a receiver that tells no date.
    func undatedFix() -> Observation {
        .position(
            PositionReport(
                mode: .threeDimensional, latitude: 10 + metres / 111_195, longitude: 4.9,
                accuracy: 5))
    }

    /// The machine is so much further, and nobody has seen how.
    func carry(_ distance: Double) { metres += distance }

    /// Stands still for so long, and has a fix whenever the receiver is looked at.
    ///
    /// - Parameter look: called before each of them.
    func stand(for seconds: Seconds, every pace: Seconds = 120, look: () throws -> Void) rethrows {
        for _ in 0..<Int(seconds / pace) {
            try look()
            agent.machine.observe(fix())
            clock.pass(pace)
        }
    }

    /// Drives for so long, with a fix every so many seconds.
    func drive(for seconds: Seconds, every pace: Seconds = 30, wrongBy error: Seconds = 0) {
        for _ in 0..<Int(seconds / pace) {
            drive(wrongBy: error)
            clock.pass(pace)
        }
    }

    /// Seconds until nothing is queued, in steps of one; `nil` if that is not so after `limit`.
    func drain(within limit: Seconds) throws -> Seconds? {
        let start = clock.now().uptime
        while clock.now().uptime - start <= limit {
            if try positions().queued == 0 { return clock.now().uptime - start }
            clock.pass(1)
        }
        return nil
    }

    func positions() throws -> Ledger { try ledger(.location) }

    /// The book of a stream of the home's queue.
    func ledger(_ stream: HomingDelivery.Stream) throws -> Ledger {
        try #require(agent.home.state.queues.first { $0.stream == stream }).ledger
    }

    /// The warnings that are shown, of the machine and of the home.
    var warnings: [(warnable: Warnable, detail: String?)] {
        agent.home.state.warnings + agent.machine.state.warnings
    }

    /// The path of a file in the state folder of the machine.
    func machineFile(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// The path of a file in the state folder of the home.
    func file(_ name: String) -> String {
        "\(HomeFolders(state: folder.path, runtime: folder.path).state(of: "home"))/\(name)"
    }

    /// Bytes in the outbox's files.
    func outboxSize() -> Int {
        folder.names().filter { $0.hasPrefix("outbox") }.reduce(0) { total, name in
            var status = stat()
            return stat(folder.file(name), &status) == 0 ? total + Int(status.st_size) : total
        }
    }

    /// Positions that are found after a power cut now: what is in memory is gone.
    func positionsAfterPowerCut() throws -> Int {
        let left = try TemporaryFolder()
        let state = HomeFolders(state: folder.path, runtime: folder.path).state(of: "home")
        for name in try Folders.names(in: state) where name.hasPrefix("outbox.db") {
            try left.write(AtomicFile.read("\(state)/\(name)", limit: 64 << 20), to: name)
        }
        let file = OutboxFile(
            stateDirectory: left.path, runtimeDirectory: left.path, durability: .powerLoss,
            maxSize: 32 << 20)
        let outbox = try HealingOutbox(file, clock: clock.now) { _ in }
        defer { outbox.close() }
        return try outbox.ledger(.location).queued
    }

    /// Returns the faults of the counters, of the order, and of what Home Assistant was told.
    func violations() throws -> [String] {
        var violations: [String] = []
        let ledger = try positions()
        if !ledger.balances { violations.append("\(ledger)") }
        let (live, track) = (home.homeAssistant.live, home.homeAssistant.track)
        for (name, rows) in [("live", live), ("track", track)] where rows != rows.sorted() {
            violations.append("\(name) out of order")
        }
        let told = Set(live).union(track)
        let delivered = ledger[.deliveredLive] + ledger[.deliveredTrack]
        if told.count < delivered {
            violations.append("\(delivered) delivered, \(told.count) told")
        }
        if told.count < live.count + track.count { violations.append("something was told twice") }
        return violations
    }
}
