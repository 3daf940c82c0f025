internal import HomeAssistantAPI
internal import HomingBase
internal import HomingConfiguration
internal import HomingDelivery
internal import HomingLocation
internal import HomingMachine
internal import HomingRuntime
internal import HomingSensors

/// Reads the machine's sensors, and puts what Home Assistant is to be told into the outbox.
///
/// Sensors are read when a signal has told of a change, and on one shared tick. Without a
/// registration none is read: their states are of now, and nobody is there to be told.
@LoopActor final class SensorStage {
    /// Seconds between a change and its reading: a change seldom comes alone.
    private static let settling: Seconds = 1
    /// Seconds after the start, or a new registration, until the first tick: the sources have told
    /// what they know then.
    static let firstTick: Seconds = 5
    /// Seconds that a receiver may take for its first fix after a rest.
    private static let fixing: Seconds = 60

    private unowned let pipeline: Pipeline
    let clock: any Clockwork
    private let files: HostFiles
    private var settings: Configuration.Sensors
    private var runner: SensorRunner
    var policy = SensorPolicy()
    private var state = MachineState()
    private var scripts: ScriptRunner?
    /// The files that no script may read; others count from each script's next run.
    var confinement = Confinement.none { didSet { scripts?.confinement = confinement } }
    private(set) var webhookID: String?
    private var tick: (any Alarm)?
    private var change: (any Alarm)?
    /// Sensors that were just enabled in Home Assistant, until they are told for the second time.
    var enabledAgain: (ids: Set<String>, timer: (any Alarm)?) = ([], nil)
    private(set) lazy var promptTimer = WakeTimer(clock) { [weak self] in self?.take([]) }
    /// Asks for what is only told when asked: how strong the signal is.
    var refresh: @LoopActor () -> Void = {}
    /// How Homing itself is.
    var homing: @LoopActor () -> HomingState? = { nil }

    /// - Parameter files: what is read in place of this machine's.
    init(pipeline: Pipeline, settings: Configuration.Sensors, files: HostFiles = HostFiles()) {
        self.pipeline = pipeline
        self.files = files
        clock = pipeline.clock
        self.settings = settings
        runner = SensorRunner(choice: settings.choice)
    }

    /// Works for this registration from now on; a new one knows no sensor yet.
    func adopt(webhookID: String?) {
        guard webhookID != self.webhookID else { return }
        self.webhookID = webhookID
        policy.forgetAllTold()
        restart()
    }

    /// Other settings from now on.
    func apply(_ settings: Configuration.Sensors) {
        guard settings != self.settings else { return }
        self.settings = settings
        runner.choice = settings.choice
        restart()
    }

    private func restart() {
        tick = nil
        enabledAgain = ([], nil)
        scripts?.shutdown()
        scripts = nil
        guard webhookID != nil else { return }
        for word in settings.choice.unknown {
            Log.warning("[sensors]: no sensor is called \(word); docs/sensors.md lists them all")
        }
        schedule(after: Self.firstTick)
        guard let folder = settings.scripts else { return }
        scripts = ScriptRunner(
            folder: folder, interval: settings.interval, choice: settings.choice,
            confinement: confinement, clock: clock, deliver: { [weak self] in self?.take($0) },
            warn: { Log.warning($0) })
        scripts?.start()
    }

    func schedule(after seconds: Seconds) {
        tick = clock.slowTimer(seconds) { [weak self] in
            self?.ticked()
            return .done
        }
    }

    func ticked() {
        schedule(after: settings.interval)
        readAll()
    }

    /// A position is about to go home, because it is time for one: what waits goes along. The next
    /// tick waits for the next heartbeat, where that comes about then: once for both.
    func heartbeat() {
        guard webhookID != nil else { return }
        let heartbeat = pipeline.policy.settings.heartbeat
        // A receiver that rests is looked at every so often, and then takes a while.
        let latest = heartbeat + pipeline.gate.stillInterval + Self.fixing
        schedule(
            after: heartbeat > settings.interval
                ? settings.interval : max(settings.interval, latest))
        readAll()
    }

    private func readAll() {
        // Reading takes a while, now more and now less: ticks count from when they begin.
        let began = clock.now()
        refresh()
        read(.tick)
        put(policy.collect(at: began))
    }

    /// Reads every sensor and tells what it says, also if that was told already.
    func updateNow() {
        guard webhookID != nil else { return }
        policy.forgetAllTold()
        ticked()
    }

    /// A source noticed something.
    func take(_ observation: Observation) {
        state.take(observation)
        switch observation {
        case .network, .power, .gpsd: changed()
        // Told with the next tick: they come every second.
        case .position, .sleep: break
        }
    }

    /// The same for what only sensors want to know.
    func take(_ fact: MachineFact) {
        state.take(fact)
        switch fact {
        // Told with the next tick: they come every second.
        case .sky, .fix: break
        case .batteries, .network, .sessions, .powerProfile, .media: changed()
        }
    }

    /// Something a sensor reads is another than before.
    func changed() {
        guard change == nil, webhookID != nil else { return }
        change = clock.slowTimer(Self.settling) { [weak self] in
            self?.change = nil
            self?.read(.change)
            return .done
        }
    }

    /// A camera or a sound device was opened or closed; the source has waited for what follows.
    func devicesChanged() { read(.devices) }

    private func read(_ occasion: SensorOccasion) {
        guard webhookID != nil else { return }
        state.homing = homing()
        let round = runner.read(
            occasion, Machine(files: files, state: state, now: clock.now()))
        for notice in round.notices { Log.warning(notice.text) }
        take(round.readings)
    }

    private func take(_ readings: [SensorReading]) {
        put(policy.consider(readings, at: clock.now()))
        if let next = policy.nextPrompt { promptTimer.set(at: next) } else { promptTimer.cancel() }
    }

    func put(_ readings: [SensorReading]) {
        guard !readings.isEmpty else { return }
        let now = clock.now()
        for reading in readings {
            guard let item = SensorUpdate(reading).json() else { continue }
            let message = SensorMessage(uniqueID: reading.sensor.uniqueID, item: item)
            if pipeline.append(.sensor(message), now) == nil { policy.notStored([reading]) }
        }
        pipeline.tell(.accepted(.sensors, urgent: false))
    }

    /// What Home Assistant has to know of a sensor to register it.
    func registration(of uniqueID: String) -> SensorRegistration? {
        policy.readings.first { $0.sensor.uniqueID == uniqueID }.map { SensorRegistration($0) }
    }

    func shutdown() {
        tick = nil
        change = nil
        enabledAgain = ([], nil)
        promptTimer.cancel()
        scripts?.shutdown()
    }
}

extension Configuration.Sensors {
    var choice: SensorChoice { SensorChoice(enable: enable, disable: disable) }
}
