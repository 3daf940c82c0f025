internal import HomeAssistantAPI
public import HomingConfiguration
internal import HomingControl
internal import HomingHealth
internal import HomingMachine
internal import HomingNotifications
internal import HomingPush
internal import HomingRegistration
public import HomingRuntime
internal import HomingSensors
public import HomingSettings

/// The daemon: this machine, its homes, the desk for their notifications, and the control socket.
@LoopActor public final class Agent {
    let machine: Machine
    let homes: Homes
    let desk: NotificationDesk
    let pushCommands: PushCommands
    let track: TrackKeeper
    let clock: any Clockwork
    private let surroundings: Surroundings
    private let startedAt: Moment
    private var control: LineServer<ControlRequest>?
    private var watchdog: Watch?
    private var statusLine = StatusLinePolicy()
    /// Something has changed since the line was told.
    private var isLineStale = false
    /// Uptime at which the line was last looked at.
    private var lineSeenAt: Seconds = 0
    /// Seconds between two lines, where nobody watches.
    private static let linePause: Seconds = 5
    private var changeTimer: (any Alarm)?
    private var isEnding: (@LoopActor () -> Void)?
    private var endTimer: (any Alarm)?
    private lazy var handler = ControlHandler(agent: self)

    /// Makes the folders, opens the queues and reads the registrations; nothing is sent before
    /// `start()`.
    ///
    /// Throws the reason why the daemon cannot work, in a sentence.
    public convenience init(
        configuration: Loaded<Configuration>, files: ConfigurationFiles
    ) throws(StartFailure) {
        var surroundings = Surroundings()
        surroundings.configuration = files
        try self.init(configuration: configuration, in: surroundings)
    }

    init(
        configuration: Loaded<Configuration>, in surroundings: Surroundings
    ) throws(StartFailure) {
        self.surroundings = surroundings
        clock = surroundings.clock
        startedAt = clock.now()
        try Self.make(surroundings.folders)
        try Self.becomeOwnMachine(surroundings)
        track = TrackKeeper(
            directory: surroundings.folders.state,
            durability: configuration.main.outbox.durability, clock: clock)
        let agent = Owner<Agent>()
        let machine = Machine(
            Machine.Settings(
                configuration.main, homes: [], choice: SensorChoice(any: [])), in: surroundings
        ) { agent()?.passOnMachineEvent($0) }
        self.machine = machine
        let homes = try Homes(
            configuration, surroundings, machine: machine,
            listChanged: { agent()?.homesChanged() }
        ) { agent()?.handleHomeEvent($1, of: $0) }
        self.homes = homes
        desk = NotificationDesk(
            configuration.main, folder: surroundings.folders.runtime, machine: machine,
            clock: clock,
            home: { homes.sender(of: $0) },
            awayExpiry: { homes.expiryWhereAway($0) }, usual: { homes.all.first })
        pushCommands = PushCommands(desk, machine)
        machine.apply(homes.machineSettings(by: configuration))
        agent.set(self)
    }

    /// Gives up what belongs to the marked machine, where this disk is a copy. Throws where a file of the
    /// marked machine stays: the copy would send its rows.
    private static func becomeOwnMachine(_ surroundings: Surroundings) throws(StartFailure) {
        let (folders, machine) = (surroundings.folders, MachineTraits.read(surroundings.files))
        let mark = ImageMark(state: folders.state)
        let copy = ImageCopy(
            state: folders.state,
            folders: HomeFolders(state: folders.state, runtime: folders.runtime))
        let finding: ImageMark.Finding
        do throws(SystemError) { finding = try mark.look(on: machine) } catch {
            // Where the folder is another user's, nothing can be opened. A damaged mark stops nothing.
            guard error.mayPass else { throw StartFailure(error) }
            return Log.error("the mark of an image: \(error)")
        }
        if finding == .unclear {
            throw StartFailure("\(ImageMark.unclear.message): \(ImageMark.unclear.hint)")
        }
        do throws(SystemError) {
            switch finding {
            case .unmarked, .unclear: break
            case .marked:
                try mark.remove()
                Log.notice("the mark of an image was taken away: it holds until the next start")
            case .copy:
                _ = try copy.make(on: machine)
                Log.notice("this machine is a copy of an image: registering as a new device")
            }
        } catch { throw StartFailure(error) }
    }

    private func homesChanged() {
        confine(homes.configuration)
        machine.apply(homes.machineSettings(by: homes.configuration))
        machine.setLookUpsWanted(homes.wantLookUps)
        // Answers may wait for a home that is open now.
        desk.answers.review()
        changed()
    }

    // MARK: Start, settings, end

    /// Starts listening, watching and delivering.
    public func start() throws(StartFailure) {
        do throws(SystemError) {
            control = try LineServer(
                path: "\(surroundings.folders.runtime)/control.sock",
                isPresent: { [weak self] in
                    DesktopChoice.admits($0, self?.desk.desktops.helpers.sessions)
                },
                mayAsk: { [weak self] in self?.handler.mayAsk($0, $1) ?? false },
                handler: { [weak self] in self?.handler.answer($0, $1) })
        } catch { throw StartFailure("\(error)") }
        begin()
        machine.start()
        feedWatchdog()
        ServiceManager.ready()
        Log.notice("Homing \(homingVersion) started")
        tellChange()
    }

    /// Begins to deliver; nothing is listened to yet.
    func begin() {
        desk.resumeEarlier()
        confine(homes.configuration)
        for home in homes.all { home.start() }
    }

    /// Applies a changed configuration. The journal names sections that need a restart.
    public func reload(_ new: Loaded<Configuration>) {
        let old = homes.configuration
        // Before a script is started that may be another.
        confine(new)
        machine.apply(homes.machineSettings(by: new))
        desk.apply(new.main)
        homes.apply(new)
        if new.main.outbox.needsRestart(after: old.main.outbox) {
            Log.notice(
                Warnings.owner.typed(
                    "[outbox] max_size and durability are read at the start. To apply the changes, run: systemctl restart homing"
                ))
        }
    }

    /// Has the files of the configuration read again.
    func reloadFiles() -> ReloadReport {
        let files = surroundings.configuration
        return ReloadReport(path: files.path(), problems: files.reload())
    }

    /// The changed configuration is wrong (`nil`: it is right again).
    public func configurationProblem(_ problem: String?) {
        machine.warn(.configurationKept, problem != nil, detail: problem)
    }

    /// Makes the state folder for its owner alone, and the runtime folder, whose socket is for
    /// everybody.
    private static func make(_ folders: Surroundings.Folders) throws(StartFailure) {
        do throws(SystemError) {
            try Folders.make(folders.state, mode: 0o700)
            try Folders.make(folders.runtime, mode: 0o755)
        } catch {
            throw StartFailure(error)
        }
    }

    /// Scripts and commands are started without the secret files from now on.
    private func confine(_ configuration: Loaded<Configuration>) {
        let names = homes.names + configuration.partNames
        let values = names.map { configuration.values(of: $0) }
        let files =
            values.flatMap { [$0.homeAssistant.clientKey, $0.push.tokenFile] }
            + [HomeCredentials.directory()]
        let confinement = Confinement(
            hiding: homes.secretPaths + files.compactMap { $0 })
        machine.confine(confinement)
        desk.runner.confine(confinement)
        machine.warn(
            .scriptsUnconfined, runsPrograms(configuration) && !Confinement.isAvailable,
            // The kernel stays as it is: the scripts are gone.
            ending: .withdrawn)
    }

    private func runsPrograms(_ configuration: Loaded<Configuration>) -> Bool {
        let scripts = configuration.main.sensors.scripts.map { HostFiles().names(in: $0) } ?? []
        return !scripts.isEmpty || !configuration.main.commands.isEmpty
            || homes.all.contains { configuration.values(of: $0.name).push.hook != nil }
    }

    /// Prepares the end: shows the notifications that wait for pictures (1 s at most), then
    /// delivers the last states of sensors (2 s at most). Calls `left` once.
    public func leave(_ left: @escaping @LoopActor () -> Void) {
        ServiceManager.stopping()
        desk.hurry { [weak self] in
            guard let self, self.homes.leave() else { return left() }
            self.isEnding = left
            self.endTimer = self.clock.once(after: 2) { [weak self] in self?.end() }
        }
    }

    private func end() {
        let left = isEnding
        (isEnding, endTimer) = (nil, nil)
        left?()
    }

    /// Ends everything. Undelivered rows stay in the queues, on disk.
    public func stop() {
        (isEnding, endTimer) = (nil, nil)
        machine.shutdown()
        desk.shutdown()
        // Waiting clients get their answers before their connections are closed.
        homes.stop()
        control?.shutdown()
        track.close()
        Log.notice("Homing stopped")
    }

    // MARK: Events of the machine and of homes

    private func passOnMachineEvent(_ event: Machine.Event) {
        tellStaleLine()
        switch event {
        case .sessions(let sessions): desk.sessionsChanged(sessions)
        case .sleep(let state):
            // The battery may not outlast the sleep: points go to the disk first.
            if state == .awake { desk.resume() } else { track.write() }
            homes.sleepChanged(state)
        case .changed: changed()
        case .fix, .network, .links, .receiver, .lookUp, .power, .thrift, .readings: break
        }
        for home in homes.all { home.handleMachineEvent(event) }
    }

    private func handleHomeEvent(_ event: Home.Event, of home: Home) {
        switch event {
        case .changed: changed()
        // No timer of its own: a status that nobody reads needs no wake-up.
        case .detailChanged: if handler.isWatched { changed() }
        case .sensorsWanted(let anew): machine.apply(homes.sensorChoice, anew: anew)
        case .lookUpsWanted: machine.setLookUpsWanted(homes.wantLookUps)
        case .reported(let fix): track.keep(fix)
        case .drained: if homes.noteDrained(home) { drained() }
        case .content(.command(let command), let origin):
            pushCommands.runCommand(command, of: home, from: origin)
        case .content(.notification(let message), _):
            for problem in message.problems { home.log.info("of a notification: \(problem)") }
            desk.show(
                message.from(
                    home: home.name, id: home.identity, isOneOfSeveral: homes.names.count > 1))
        case .answerExpired(let title): desk.answers.tellExpired(title, home)
        }
    }

    /// Everything is delivered that can be: the daemon may end, or the machine sleep.
    private func drained() {
        if isEnding != nil { return end() }
        // Also what came while another home was still at work.
        for home in homes.all { home.writeQueue() }
        track.write()
        machine.readyForSleep()
    }

    // MARK: Status

    /// The report of `homing status`.
    func status() -> StatusReport {
        machine.countData()
        return StatusBuilder(
            machine: machine.state, homes: homes.all.map(\.state), desk: desk.state,
            now: clock.now(), startedAt: startedAt
        ).report()
    }

    /// Many things change at once; a little later they are told as one. Where nobody looks, the
    /// line for `systemctl status` costs no wake-up: the watchdog's or an event of the machine's
    /// tells the line, once things have settled.
    private func changed() {
        isLineStale = true
        guard changeTimer == nil, handler.isWatched || watchdog == nil else { return }
        changeTimer = clock.once(after: handler.isWatched ? 0.25 : Self.linePause) { [weak self] in
            self?.changeTimer = nil
            self?.tellChange()
        }
    }

    private func tellStaleLine() {
        if isLineStale, clock.now().uptime >= lineSeenAt + Self.linePause { tellChange() }
    }

    private func tellChange() {
        isLineStale = false
        lineSeenAt = clock.now().uptime
        handler.changed()
        switch statusLine.considerStatusLine(
            StatusLine.text(homes.all.map(\.state)), at: lineSeenAt)
        {
        case .tell(let line): ServiceManager.status(line)
        case .wait: isLineStale = true
        case .same: break
        }
    }

    private func feedWatchdog() {
        guard let interval = ServiceManager.watchdogInterval() else { return }
        ServiceManager.feedWatchdog()
        // No Clockwork: systemd waits by the machine's own clock.
        watchdog = Watch.slowTimer(min(60, interval / 2)) { [weak self] in
            ServiceManager.feedWatchdog()
            self?.tellStaleLine()
            return .again
        }
    }
}
