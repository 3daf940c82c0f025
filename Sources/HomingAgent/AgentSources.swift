internal import HomingBus
internal import HomingConfiguration
internal import HomingMachine
internal import HomingRuntime
internal import HomingSources

/// The sources the daemon listens to, joined to the pipeline and the sensors.
@LoopActor final class AgentSources {
    private let pipeline: Pipeline
    private let sensors: SensorStage
    private let files: HostFiles
    private let clock: any Clockwork
    private let bus: Bus
    private let sessionBus: Bus?
    private lazy var network = NetworkManagerSource(
        bus: bus, clock: clock,
        deliver: { [weak self] in
            self?.observe($0)
            // gpsd may be on another machine, which this network may reach.
            self?.gpsd?.retryNow()
        }, facts: { [weak self] in self?.sensors.take($0) })
    private lazy var clockTrust = ClockTrust(bus: bus, files: files, clock: clock)
    var logind: LogindControl { LogindControl(bus: bus) }
    /// Gets who is logged in, when that changes.
    var onSessions: @LoopActor ([UserSession]?) -> Void = { _ in }
    private lazy var sleep = LogindSource(bus: bus, clock: clock) { [weak self] in
        self?.observe($0)
    }
    /// Tells when a camera or a sound device was opened or closed.
    private(set) lazy var devices = DeviceUseSource(
        folder: files.path("/dev"), clock: clock
    ) { [weak self] in self?.sensors.devicesChanged() }
    private lazy var others: [any Source] = makeOthers()
    private var gpsd: GPSDSource?
    private var settings: Configuration.GPSD

    init(
        configuration: Configuration, pipeline: Pipeline, sensors: SensorStage, files: HostFiles
    ) {
        self.pipeline = pipeline
        self.sensors = sensors
        self.files = files
        let clock = pipeline.clock
        self.clock = clock
        bus = Bus(.system, clock: clock)
        sessionBus = Bus.sessionAddress().map { Bus(.at($0), clock: clock) }
        settings = configuration.gpsd
        gpsd = makeGPSD()
        pipeline.sources = Pipeline.Sources(
            watchReceiver: { [weak self] in self?.gpsd?.watch() },
            restReceiver: { [weak self] in self?.gpsd?.rest() },
            refreshNetwork: { [weak self] in self?.network.refresh() })
        pipeline.isClockSet = { [weak self] in self?.clockTrust.isSet() ?? false }
        pipeline.onFix = { [weak self] in self?.sensors.take(.fix($0)) }
        sensors.refresh = { [weak self] in self?.network.refresh() }
    }

    func start() {
        network.start()
        sleep.start()
        clockTrust.start()
        for source in others { source.start() }
        gpsd?.watch()
        bus.open()
        sessionBus?.open()
    }

    func shutdown() {
        gpsd?.shutdown()
        network.shutdown()
        sleep.shutdown()
        clockTrust.shutdown()
        for source in others { source.shutdown() }
        bus.shutdown()
        sessionBus?.shutdown()
    }

    /// Nothing more is to be done: the machine may sleep.
    func readyForSleep() { sleep.readyForSleep() }

    /// Another gpsd from now on, if the configuration names one.
    func apply(_ configuration: Configuration) {
        guard configuration.gpsd != settings else { return }
        settings = configuration.gpsd
        gpsd?.shutdown()
        gpsd = makeGPSD()
        gpsd?.watch()
    }

    /// Decisions come first, sensors tell what became of them.
    private func observe(_ observation: Observation) {
        pipeline.observe(observation)
        sensors.take(observation)
    }

    private func makeGPSD() -> GPSDSource? {
        guard settings.enabled else {
            observe(.gpsd(.off))
            return nil
        }
        return GPSDSource(
            host: settings.host, port: UInt16(settings.port), device: settings.device,
            clock: clock, deliver: { [weak self] in self?.observe($0) },
            facts: { [weak self] in self?.sensors.take($0) })
    }

    private func makeOthers() -> [any Source] {
        let fact: @LoopActor (MachineFact) -> Void = { [weak self] in self?.sensors.take($0) }
        var sources: [any Source] = [
            UPowerSource(bus: bus) { [weak self] in self?.observe($0) },
            BatteriesSource(bus: bus, deliver: fact),
            PowerProfileSource(bus: bus, deliver: fact),
            SessionsSource(bus: bus) { [weak self] in
                fact($0)
                if case .sessions(let sessions) = $0 { self?.onSessions(sessions) }
            },
            devices,
        ]
        if let sessionBus { sources.append(MediaSource(bus: sessionBus, deliver: fact)) }
        return sources
    }
}
