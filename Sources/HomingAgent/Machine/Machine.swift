internal import HomingBus
internal import HomingConfiguration
internal import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingRuntime
internal import HomingSensors

/// This machine: observes the receiver, the network, the power, the sensors and who is at it, and
/// reports to all homes alike.
@LoopActor final class Machine {
    enum Event {
        /// A fix that the machine believes.
        case fix(Fix)
        /// `state` has another network.
        case network
        /// `state` has other links.
        case links
        /// `state` has another receiver, or no receiver.
        case receiver
        /// A service has looked up where the machine is.
        case lookUp(Fix)
        /// `state` has another power.
        case power
        /// `state` has another thrift, or no thrift.
        case thrift
        case readings(SensorReader.Readings)
        /// After waking the network may be another, whatever `state` says.
        case sleep(SleepState)
        /// Others are logged in, or in front; `nil` where logind does not say.
        case sessions([UserSession]?)
        /// Other warnings are shown, or something else that people may see is another than before.
        case changed
    }

    /// A request of a home to the machine.
    enum Wish {
        /// The next fix, soon.
        case position
        /// A look-up once more, since the last one contradicts what was told.
        case lookUpAgain
        /// A look at the network: a request has failed.
        case network
        /// All sensors, so many seconds from now; `nil` for now.
        case sensors(after: Seconds?)
        /// All sensors now, as a position is told for the heartbeat's sake.
        case sensorsWithHeartbeat(Seconds)
    }

    struct Settings: Equatable {
        var receiver: Receiver.Settings
        var gpsd: Configuration.GPSD
        var lookUps: LookUpStage.Settings
        var sensors: SensorReader.Settings
        var thrift: ThriftPolicy.Settings
    }

    private let clock: any Clockwork
    private let files: HostFiles
    private let report: @LoopActor (Event) -> Void
    private var settings: Settings
    private var settler = NetworkSettler()
    private var links: NetworkLinks?
    private var power = PowerState.mains
    private let warningBoard: Warnings
    private lazy var settlerTimer = WakeTimer(clock) { [weak self] in self?.settlerWoke() }
    private let sources: any MachineObserver
    private lazy var receiver = Receiver(
        settings.receiver, warnings: warningBoard, clock: clock,
        isClockSet: { [weak self] in self?.sources.isClockSet ?? false },
        report: { [weak self] in self?.handleReceiverEvent($0) })
    private lazy var lookUps = LookUps(
        sources.lookUps, settings.lookUps, clock: clock,
        report: { [weak self] in self?.handleLookUpEvent($0) })
    private let saver: DataSaver
    /// Thrift that the homes were told last.
    private var toldThrift: Thrift?
    private lazy var sensors = SensorReader(
        settings.sensors, files: files, clock: clock,
        refresh: { [weak self] in self?.refreshForSensors() },
        lookAtSky: { [weak self] in self?.sources.tellSky() }, report: report)

    init(
        _ settings: Settings, in surroundings: Surroundings,
        report: @escaping @LoopActor (Event) -> Void
    ) {
        let clock = surroundings.clock
        self.settings = settings
        self.clock = clock
        self.report = report
        files = surroundings.files
        let log = HomeLog(writeLine: surroundings.writeLine)
        warningBoard = Warnings(of: .machine, log: log, clock: clock) { report(.changed) }
        let machine = Owner<Machine>()
        saver = DataSaver(
            settings.thrift, folder: surroundings.folders.state, meter: surroundings.dataUsed,
            clock: clock, isClockSet: { machine()?.sources.isClockSet ?? false }
        ) { machine()?.thriftChanged() }
        sources = surroundings.observer(settings.gpsd, files, clock) { machine()?.observe($0) }
        machine.set(self)
        sources.chooseReceiver()
    }

    /// The state of the machine, for homes and for people.
    var state: MachineStatus {
        MachineStatus(
            network: settler.believed, links: links, power: power, receiver: receiver.state,
            lookUp: lookUps.outcome, mayLookUp: settings.lookUps.isOn,
            thrift: saver.thrift, dataUse: saver.use, dataBudget: saver.settings.budget,
            quietHours: saver.settings.quiet, warnings: warningBoard.visible)
    }

    /// Charge of the battery; `nil` without a battery.
    var batteryPercentage: Double? { power.batteryPercentage }

    /// Requests to logind: lock, suspend.
    var logind: LogindControl { sources.logind }

    /// Begins to observe.
    func start() {
        sources.start()
        // What was decided before somebody could be told.
        if saver.thrift != nil || saver.shortage != nil { thriftChanged() }
    }

    func apply(_ settings: Settings) {
        self.settings = settings
        receiver.apply(settings.receiver)
        sources.apply(settings.gpsd)
        lookUps.handle(.settings(settings.lookUps))
        sensors.apply(settings.sensors)
        saver.apply(settings.thrift)
        warnOfBudget()
    }

    /// Whether any home would use a look-up.
    func setLookUpsWanted(_ areWanted: Bool) { lookUps.handle(.wanted(areWanted)) }

    /// Applies another choice of sensors.
    ///
    /// - Parameter anew: whether all sensors are read and all scripts run, as at the start.
    func apply(_ choice: SensorChoice, anew: Bool) {
        settings.sensors.choice = choice
        sensors.apply(settings.sensors, anew: anew)
    }

    /// Scripts are started with this from now on.
    func confine(_ confinement: Confinement) { sensors.confine(confinement) }

    /// Raises or clears a warning about the machine.
    func warn(
        _ warnable: Warnable, _ raised: Bool, detail: String? = nil,
        ending: Warnings.Ending = .solved
    ) {
        warningBoard.set(warnable, raised, detail: detail, ending: ending)
    }

    /// Whether the warning about the machine is raised, shown or not.
    func isRaised(_ warnable: Warnable) -> Bool { warningBoard.isRaised(warnable) }

    /// A home wants something.
    func want(_ wish: Wish) {
        switch wish {
        case .position:
            receiver.look()
            sources.watchReceiver()
            lookUps.handle(.request)
        case .lookUpAgain: lookUps.handle(.doubt)
        case .network:
            sources.refreshNetwork()
            performSettlerEffects(settler.requestFailed())
        case .sensors(let seconds?): sensors.tick(after: seconds)
        case .sensors(nil): sensors.readNow()
        case .sensorsWithHeartbeat(let heartbeat):
            sensors.readWithHeartbeat(heartbeat, stillInterval: receiver.stillInterval)
        }
    }

    /// Lets the machine sleep: nothing more is to be done.
    func readyForSleep() { sources.readyForSleep() }

    /// Counts the data that was used until now, for who is about to read `state`.
    func countData() {
        saver.look()
        warnOfBudget()
    }

    func shutdown() {
        sensors.shutdown()
        saver.shutdown()
        lookUps.shutdown()
        sources.shutdown()
        receiver.shutdown()
        settlerTimer.cancel()
        warningBoard.shutdown()
    }

    // MARK: Events of the sources

    /// Takes an observation of a source. Decisions come first; then sensors can show their results.
    func observe(_ observation: Observation) {
        switch observation {
        case .position(let report): receiver.receiveReport(report)
        case .gpsd(let state):
            receiver.gpsdChanged(state)
            report(.receiver)
        case .receivers(let names): receiver.learn(names)
        case .network(let state): performSettlerEffects(settler.heard(state, at: clock.now()))
        case .links(let links):
            self.links = links
            lookUps.handle(.links(links))
            report(.links)
        case .power(let state):
            power = state
            saver.notePowerState(state)
            report(.power)
        case .sleep(let state): sleepChanged(state)
        case .sessions(let sessions): report(.sessions(sessions))
        case .batteries, .networkDetails, .powerProfile, .media, .sky, .shownFix, .devices,
            .dataUse:
            break
        }
        if !observation.isForSensorsAlone { report(.changed) }
        sensors.handleObservation(observation)
    }

    private func handleReceiverEvent(_ event: Receiver.Event) {
        switch event {
        case .watch: sources.watchReceiver()
        case .rest: sources.restReceiver()
        case .shown(let fix): sensors.handleObservation(.shownFix(fix))
        case .believed(let fix): report(.fix(fix))
        case .changed: report(.changed)
        }
    }

    private func handleLookUpEvent(_ event: LookUps.Event) {
        switch event {
        case .found(let fix):
            report(.lookUp(fix))
            sensors.handleObservation(.shownFix(fix))
        case .changed: report(.changed)
        }
    }

    /// Reports a change in how much data is saved.
    private func thriftChanged() {
        warnOfBudget()
        guard saver.thrift != toldThrift else { return }
        toldThrift = saver.thrift
        if let thrift = saver.thrift {
            Log.info("data is saved: \(thrift.text(quiet: saver.settings.quiet))")
        } else {
            Log.info("data is not saved any more")
        }
        report(.thrift)
        report(.changed)
    }

    private func warnOfBudget() {
        let hasBudget = saver.settings.mode != .off && saver.settings.budget != nil
        warn(
            .dataBudgetShort, saver.shortage != nil, detail: saver.shortage,
            ending: hasBudget ? .solved : .withdrawn)
    }

    private func refreshForSensors() {
        sources.refreshNetwork()
        countData()
        sensors.handleObservation(.dataUse(saver.use))
    }

    private func settlerWoke() { performSettlerEffects(settler.timer(at: clock.now())) }

    private func performSettlerEffects(_ effects: [NetworkSettler.Effect]) {
        for effect in effects {
            switch effect {
            case .believe:
                receiver.look()
                saver.noteNetworkState(settler.believed)
                report(.network)
            case .wake(let at): settlerTimer.set(at: at)
            }
        }
    }

    private func sleepChanged(_ state: SleepState) {
        switch state {
        case .preparing:
            Log.info("the machine is about to sleep")
            saver.store()
        case .awake:
            Log.info("the machine is awake")
            wakeUp()
        }
        lookUps.handle(.sleep(state))
        report(.sleep(state))
    }

    /// The loop's timers have stood still, and the machine may be elsewhere.
    private func wakeUp() {
        settlerTimer.rearm()
        receiver.rearm()
        lookUps.rearm()
        saver.rearm()
        warningBoard.rearm()
        sources.refreshNetwork()
        sources.watchReceiver()
        receiver.look()
    }
}

/// The state of the machine at one moment, for homes and for people.
struct MachineStatus: Sendable {
    /// `nil` before anything was heard of it.
    let network: NetworkState?
    /// `nil` while NetworkManager is away.
    let links: NetworkLinks?
    let power: PowerState
    let receiver: ReceiverState
    /// Last answer of the look-up service.
    let lookUp: LookUpStage.Outcome
    /// Whether the look-up service may be asked.
    let mayLookUp: Bool
    /// Degree of saving; `nil` while no data is saved.
    let thrift: Thrift?
    /// Data that was used this month, as far as it was counted.
    let dataUse: DataUse
    /// Bytes of a month; `nil`: no budget.
    let dataBudget: Int?
    let quietHours: QuietHours?
    let warnings: [(warnable: Warnable, detail: String?)]

    /// Whether NetworkManager calls the network metered.
    var isMetered: Bool {
        if case .known(let network)? = network { network.metered } else { false }
    }
}
