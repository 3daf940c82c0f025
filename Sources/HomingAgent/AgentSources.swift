internal import HomingConfiguration
internal import HomingCore
internal import HomingRuntime
internal import HomingSources

/// The sources the daemon listens to, joined to the pipeline.
@LoopActor final class AgentSources {
    private let pipeline: Pipeline
    private let bus = SystemBus()
    private lazy var network = NetworkManagerSource(bus: bus) { [weak self] in
        self?.pipeline.observe($0)
        // gpsd may be on another machine, which this network may reach.
        self?.gpsd?.retryNow()
    }
    private let power: UPowerSource
    private let sleep: LogindSource
    private var gpsd: GPSDSource?
    private var settings: Configuration.GPSD

    init(configuration: Configuration, pipeline: Pipeline) {
        self.pipeline = pipeline
        settings = configuration.gpsd
        power = UPowerSource(bus: bus) { [weak pipeline] in pipeline?.observe($0) }
        sleep = LogindSource(bus: bus) { [weak pipeline] in pipeline?.observe($0) }
        gpsd = makeGPSD()
        pipeline.sources = Pipeline.Sources(
            watchReceiver: { [weak self] in self?.gpsd?.watch() },
            restReceiver: { [weak self] in self?.gpsd?.rest() },
            refreshNetwork: { [weak self] in self?.network.refresh() })
    }

    func start() {
        network.start()
        power.start()
        sleep.start()
        gpsd?.watch()
        bus.open()
    }

    func shutdown() {
        gpsd?.shutdown()
        network.shutdown()
        power.shutdown()
        sleep.shutdown()
        bus.shutdown()
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

    private func makeGPSD() -> GPSDSource? {
        guard settings.enabled else {
            pipeline.observe(.gpsd(.off))
            return nil
        }
        return GPSDSource(host: settings.host, port: UInt16(settings.port)) { [weak pipeline] in
            pipeline?.observe($0)
        }
    }
}
