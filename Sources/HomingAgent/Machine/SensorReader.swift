internal import HomingMachine
internal import HomingRuntime
internal import HomingSensors

/// Reads the machine's sensors, for all homes together: when a signal has told of a change, on one
/// shared tick, and when a script has ended.
///
/// While no home wants any, none is read: their states are of now, and nobody is there to be told.
@LoopActor final class SensorReader {
    /// The readings of one time.
    struct Readings {
        let readings: [SensorReading]
        /// `nil` for those of a script.
        let occasion: SensorOccasion?
        /// State that the sources have told until then.
        let state: MachineState
        /// Moment at which the reading began.
        let began: Moment
    }

    struct Settings: Equatable {
        /// Sensors that a home wants; empty while no home is registered.
        var choice = SensorChoice(any: [])
        /// Seconds between two ticks.
        var interval: Seconds
        /// The folder of the scripts.
        var scripts: String?
    }

    /// Seconds between a change and its reading: a change seldom comes alone.
    private static let settling: Seconds = 1
    /// Seconds after the start, or a new wish, until the first tick: the sources have told what
    /// they know then.
    static let firstTick: Seconds = 5
    /// Seconds that a receiver may take for its first fix after a rest.
    private static let fixing: Seconds = 60
    /// Seconds for which a reading of all stands for the heartbeats of other homes.
    private static let sharing: Seconds = 1

    private let clock: any Clockwork
    private let files: HostFiles
    private let refresh: @LoopActor () -> Void
    private let lookAtSky: @LoopActor () -> Void
    private let report: @LoopActor (Machine.Event) -> Void
    private var settings: Settings
    private var confinement = Confinement.none
    private var runner: SensorRunner
    private var scripts: ScriptRunner?
    private var state = MachineState()
    /// Uptime.
    private var lastRead = -Seconds.infinity
    private var tick: (any Alarm)?
    private var change: (any Alarm)?

    /// - Parameters:
    ///   - files: the files that sensors read; a test gives others than this machine's.
    ///   - refresh: asks for what is only told when asked: how strong the signal is.
    ///   - lookAtSky: has `handleObservation` get what the receiver sees of the sky, before a
    ///     satellite sensor is read.
    init(
        _ settings: Settings, files: HostFiles, clock: any Clockwork,
        refresh: @escaping @LoopActor () -> Void, lookAtSky: @escaping @LoopActor () -> Void,
        report: @escaping @LoopActor (Machine.Event) -> Void
    ) {
        self.settings = settings
        self.files = files
        self.clock = clock
        self.refresh = refresh
        self.lookAtSky = lookAtSky
        self.report = report
        runner = SensorRunner(SensorCatalog.ofMachine, choice: settings.choice)
        restart()
    }

    private var isWanted: Bool { !settings.choice.isEmpty }

    /// Applies other settings.
    ///
    /// - Parameter anew: whether all sensors are read, for a home that has no state of them yet.
    func apply(_ settings: Settings, anew: Bool = false) {
        guard anew || settings != self.settings else { return }
        self.settings = settings
        runner.choice = settings.choice
        restart()
    }

    /// Scripts are started with this from now on.
    func confine(_ confinement: Confinement) {
        self.confinement = confinement
        scripts?.confine(confinement)
    }

    private func restart() {
        tick = nil
        scripts?.shutdown()
        scripts = nil
        guard isWanted else { return }
        tick(after: Self.firstTick)
        guard let folder = settings.scripts else { return }
        scripts = ScriptRunner(
            folder: folder, interval: settings.interval, choice: settings.choice,
            confinement: confinement, clock: clock,
            deliver: { [weak self, clock] in self?.reportReadings($0, nil, clock.now()) },
            warn: { Log.warning($0) })
        scripts?.start()
    }

    // MARK: When

    /// Reads everything so many seconds from now, in place of the next tick.
    func tick(after seconds: Seconds) {
        guard isWanted else { return }
        tick = clock.slowOnce(after: seconds) { [weak self] in self?.readNow() }
    }

    /// Reads everything now; the next tick follows in one interval.
    func readNow() {
        guard isWanted else { return }
        readAll(next: settings.interval)
    }

    /// A position is about to be reported, because it is time for one: what waits goes along. The
    /// next tick waits for the next heartbeat, where that comes about then: once for both.
    ///
    /// Homes with equal settings have their heartbeats with the same fix: the first reads for all.
    ///
    /// - Parameters:
    ///   - heartbeat: seconds between two such positions.
    ///   - stillInterval: seconds between two looks at a receiver that rests.
    func readWithHeartbeat(_ heartbeat: Seconds, stillInterval: Seconds) {
        guard isWanted, clock.now().uptime - lastRead >= Self.sharing else { return }
        let latest = heartbeat + stillInterval + Self.fixing
        readAll(
            next: heartbeat > settings.interval
                ? settings.interval : max(settings.interval, latest))
    }

    /// - Parameter next: seconds until the next tick.
    private func readAll(next: Seconds) {
        tick(after: next)
        // Reading takes a while, now more and now less: ticks count from when they begin.
        let began = clock.now()
        refresh()
        read(.tick, began)
        lastRead = clock.now().uptime
    }

    /// A source noticed something.
    func handleObservation(_ observation: Observation) {
        state.applyObservation(observation)
        switch observation {
        case .network, .power, .gpsd, .sessions, .batteries, .networkDetails, .powerProfile, .media:
            guard isWanted, change == nil else { return }
            change = clock.slowOnce(after: Self.settling) { [weak self, clock] in
                self?.change = nil
                self?.read(.change, clock.now())
            }
        // Reported with the next tick: such observations come every second.
        case .position, .receivers, .sky, .shownFix, .sleep, .links, .dataUse: break
        case .devices: read(.devices, clock.now())
        }
    }

    // MARK: What

    private func read(_ occasion: SensorOccasion, _ began: Moment) {
        guard isWanted else { return }
        if occasion != .devices, SensorCatalog.ofSky.contains(where: { settings.choice.isOn($0) }) {
            lookAtSky()
        }
        let round = runner.read(
            occasion, MachineView(files: files, state: state, now: clock.now()), clock: clock.now)
        for notice in round.notices { Log.warning(notice.text) }
        reportReadings(round.readings, occasion, began)
    }

    /// Gives out the readings of an occasion, or of a script.
    private func reportReadings(
        _ readings: [SensorReading], _ occasion: SensorOccasion?, _ began: Moment
    ) {
        report(
            .readings(.init(readings: readings, occasion: occasion, state: state, began: began)))
    }

    func shutdown() {
        tick = nil
        change = nil
        scripts?.shutdown()
    }
}
