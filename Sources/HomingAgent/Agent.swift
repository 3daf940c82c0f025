internal import HomeAssistantAPI
internal import HomingBase
public import HomingConfiguration
internal import HomingControl
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHTTP
internal import HomingHealth
internal import HomingNotifications
internal import HomingPush
internal import HomingRegistration
public import HomingRuntime
internal import HomingSQLite
internal import HomingSocket

/// The daemon: joins configuration, sources, pipeline, storage and control socket.
@LoopActor public final class Agent {
    let pipeline: Pipeline
    var configuration: Configuration
    var registration: Registration?
    let registrations: RegistrationStore
    /// Whether `registration` is what the file holds.
    var isRegistrationStored = true
    let outbox: HealingOutbox
    var http: HTTPClient
    let surroundings: Surroundings
    var clock: any Clockwork { surroundings.clock }
    let startedAt: Moment
    /// Whether Home Assistant is being asked for a registration.
    var isRegistering = false
    var reregistration = Reregistration()
    var encryption = EncryptionUpgrade()
    var telling = MachineTelling()
    var mark = ChannelMark(text: RandomToken.hex(bytes: 8))
    let track: TrackKeeper
    private(set) lazy var reregistrationTimer = WakeTimer(clock) { [weak self] in
        self?.reregistrationWoke()
    }
    private(set) lazy var markTimer = WakeTimer(clock) { [weak self] in self?.considerMark() }
    let sensors: SensorStage
    let push: PushStage
    let sources: AgentSources
    var control: LineServer<ControlCommand>?
    private lazy var handler = ControlHandler(agent: self)
    private var watchdog: Watch?
    private var statusLine = ""
    private var changeTimer: (any Alarm)?
    private(set) lazy var spiller = Spiller(outbox, clock: clock)
    var leaving: (any Alarm)?
    /// Uptime from which tokens of before are revoked.
    var revokesFrom: Seconds = 0

    /// Makes the folders, opens the outbox and reads the registration; nothing is sent before
    /// `start()`.
    ///
    /// Throws what keeps the daemon from its work, in a sentence.
    public convenience init(configuration: Configuration) throws(StartFailure) {
        try self.init(configuration: configuration, in: Surroundings())
    }

    init(configuration: Configuration, in surroundings: Surroundings) throws(StartFailure) {
        self.configuration = configuration
        self.surroundings = surroundings
        startedAt = surroundings.clock.now()
        try Self.make(surroundings.folders)
        var notes: [OutboxNote] = []
        outbox = try Self.openOutbox(configuration, surroundings) {
            Self.journal($0)
            notes.append($0)
        }
        registrations = RegistrationStore(directory: surroundings.folders.state)
        track = TrackKeeper(
            directory: surroundings.folders.state,
            interval: configuration.outbox.durability == .crash
                ? TrackKeeper.sparingInterval : TrackKeeper.usualInterval,
            clock: surroundings.clock)
        http = HTTPClient(tls: TLSOptions(configuration), userAgent: "Homing/\(homingVersion)")
        pipeline = Pipeline(
            settings: AgentSettings(configuration), outbox: outbox,
            seed: surroundings.seed, clock: surroundings.clock)
        sensors = SensorStage(
            pipeline: pipeline, settings: configuration.sensors, files: surroundings.files)
        push = PushStage(
            pipeline: pipeline, configuration: configuration, folder: surroundings.folders.runtime)
        sources = AgentSources(
            configuration: configuration, pipeline: pipeline, sensors: sensors,
            files: surroundings.files)
        for note in notes { outboxChanged(note) }
        outbox.onNote = { [weak self] in
            Self.journal($0)
            self?.outboxChanged($0)
        }
        outbox.onTrouble = { [weak self] in
            self?.pipeline.raise(.outboxFailed, $0 != nil, detail: $0?.message)
        }
        do { registration = try registrations.load() } catch {
            throw StartFailure("\(error)", isForPeople: error.isForPeople)
        }
    }

    /// Starts listening, watching and delivering.
    public func start() throws(StartFailure) {
        do throws(SystemError) {
            control = try LineServer(
                path: "\(surroundings.folders.runtime)/control.sock",
                isPresent: { [weak self] in
                    DesktopChoice.admits($0, self?.push.desk.helpers.sessions)
                },
                mayAsk: { [weak self] in self?.handler.mayAsk($0, $1) ?? false },
                handler: { [weak self] in self?.handler.answer($0, $1) })
        } catch { throw StartFailure("\(error)") }
        join()
        sources.start()
        feedWatchdog()
        ServiceManager.ready()
        Log.notice("Homing \(homingVersion) started")
        tellChange()
    }

    /// Joins the stages and begins to deliver; nothing is listened to yet.
    func join() {
        pipeline.onChange = { [weak self] in self?.changed() }
        pipeline.onFacts = { [weak self] in self?.learned($0) }
        pipeline.onWarnings = { [weak self] in self?.considerReregistering() }
        pipeline.onSensorsDisabled = { [weak self] in self?.sensors.noteDisabled($0) }
        pipeline.onTracker = { [weak self] in self?.perform($0) }
        pipeline.onHeartbeat = { [weak self] in self?.sensors.heartbeat() }
        pipeline.onAccepted = { [weak self] in self?.track.keep($0) }
        pipeline.onSleep = { [weak self] in self?.sleepChanged($0) }
        sensors.homing = { [weak self] in self?.homingState() }
        pipeline.onReadyForSleep = { [weak self] in self?.readyForSleep() }
        joinPush()
        confine()
        if configuration.outbox.durability == .crash {
            pipeline.onAppend = { [weak self] in self?.spiller.noteRow() }
            spiller.noteRow()
        }
        adopt(registration)
    }

    /// Takes a changed configuration; what only a start can change is said in the journal.
    public func reload(_ new: Configuration) {
        let old = configuration
        configuration = new
        pipeline.apply(AgentSettings(new))
        sources.apply(new)
        confine()
        sensors.apply(new.sensors)
        push.apply(new)
        if TLSOptions(new) != TLSOptions(old) {
            renewClient()
        }
        adopt(registration)
        considerReregistering()
        considerTelling()
        if new.outbox != old.outbox {
            Log.notice("[outbox] is read at the start: restart the daemon for its changes")
        }
    }

    /// Another client, by the present settings; the connections of the one before are closed.
    func renewClient() {
        http.shutdown()
        http = HTTPClient(tls: TLSOptions(configuration), userAgent: "Homing/\(homingVersion)")
    }

    /// Many things change at once; a little later they are told as one. Where nobody looks, the
    /// line for `systemctl status` need not cost a wake-up a second.
    private func changed() {
        push.pipelineChanged()
        considerRevoking()
        considerMark()
        guard changeTimer == nil else { return }
        let tell: @LoopActor () -> Watch.Next = { [weak self] in
            self?.changeTimer = nil
            self?.tellChange()
            return .done
        }
        changeTimer = handler.isWatched ? clock.timer(0.25, tell) : clock.slowTimer(5, tell)
    }

    private func tellChange() {
        handler.changed()
        let line = statusText()
        guard line != statusLine else { return }
        statusLine = line
        ServiceManager.status(line)
    }

    private func feedWatchdog() {
        guard let interval = ServiceManager.watchdogInterval() else { return }
        ServiceManager.feedWatchdog()
        watchdog = Watch.slowTimer(min(60, interval / 2)) {
            ServiceManager.feedWatchdog()
            return .again
        }
    }
}
