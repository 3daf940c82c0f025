internal import HomingBus
internal import HomingConfiguration
internal import HomingMachine
internal import HomingRuntime
internal import HomingSources

/// The observer of this machine: `MachineSources`, or a test's observer.
@LoopActor protocol MachineObserver: AnyObject {
    /// Requests to logind: lock, suspend.
    var logind: LogindControl { get }
    /// Whether something vouches for this machine's clock.
    var isClockSet: Bool { get }
    /// The service that looks up where the machine is.
    var lookUps: any LookUpService { get }

    func start()

    func shutdown()

    /// Lets the machine sleep: nothing more is to be done.
    func readyForSleep()

    /// Watches gpsd.
    func watchReceiver()

    /// Closes the watch of gpsd, so that a receiver may rest.
    func restReceiver()

    /// Reads the network again.
    func refreshNetwork()

    /// Reports what the receiver sees of the sky.
    func tellSky()

    /// Asks the gpsd that the configuration names; `watchReceiver` follows.
    func chooseReceiver()

    /// Another gpsd from now on, if the configuration names one.
    func apply(_ settings: Configuration.GPSD)
}

/// The sources that this machine is observed by.
@LoopActor final class MachineSources: MachineObserver {
    private let files: HostFiles
    private let clock: any Clockwork
    private let report: @LoopActor (Observation) -> Void
    private let bus: Bus
    private let sessionBus: Bus?
    private let clockTrust: ClockTrust
    private lazy var network = NetworkManagerSource(
        bus: bus, files: files, clock: clock,
        deliver: { [weak self] in
            self?.report($0)
            // gpsd may be on another machine, which this network may reach.
            if case .network = $0 { self?.gpsd?.retryNow() }
        })
    private(set) lazy var lookUps: any LookUpService = GeoClue(bus: bus, clock: clock)
    private lazy var sleep = LogindSource(bus: bus, clock: clock, deliver: report)
    private lazy var sources: [any Source] = [network, sleep] + makeOthers()
    private var gpsd: GPSDSource?
    private var settings: Configuration.GPSD

    init(
        _ settings: Configuration.GPSD, files: HostFiles, clock: any Clockwork,
        report: @escaping @LoopActor (Observation) -> Void
    ) {
        self.settings = settings
        self.files = files
        self.clock = clock
        self.report = report
        bus = Bus(.system, clock: clock)
        sessionBus = Bus.sessionAddress().map { Bus(.at($0), clock: clock) }
        clockTrust = ClockTrust(bus: bus, files: files, clock: clock)
    }

    var logind: LogindControl { LogindControl(bus: bus) }
    var isClockSet: Bool { clockTrust.isSet() }

    func start() {
        for source in sources { source.start() }
        gpsd?.watch()
        bus.open()
        sessionBus?.open()
    }

    func shutdown() {
        gpsd?.shutdown()
        for source in sources { source.shutdown() }
        bus.shutdown()
        sessionBus?.shutdown()
    }

    func readyForSleep() { sleep.readyForSleep() }

    func watchReceiver() { gpsd?.watch() }

    func restReceiver() { gpsd?.rest() }

    func refreshNetwork() { network.refresh() }

    func tellSky() { gpsd?.tellSky() }

    func chooseReceiver() {
        guard settings.enabled else { return report(.gpsd(.off)) }
        gpsd = GPSDSource(
            host: settings.host, port: UInt16(settings.port), device: settings.device,
            clock: clock, deliver: report)
    }

    func apply(_ settings: Configuration.GPSD) {
        guard settings != self.settings else { return }
        self.settings = settings
        gpsd?.shutdown()
        gpsd = nil
        chooseReceiver()
        gpsd?.watch()
    }

    private func makeOthers() -> [any Source] {
        var sources: [any Source] = [
            ObjectsSource.power(bus: bus, deliver: report),
            ObjectsSource.batteries(bus: bus, deliver: report),
            ObjectsSource.powerProfile(bus: bus, deliver: report),
            ObjectsSource.sessions(bus: bus, deliver: report),
            DeviceUseSource(folder: files.path("/dev"), clock: clock) { [report] in report(.devices)
            },
        ]
        if let sessionBus { sources.append(ObjectsSource.media(bus: sessionBus, deliver: report)) }
        return sources
    }
}
