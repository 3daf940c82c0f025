internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHTTP
internal import HomingHealth
internal import HomingJSON
internal import HomingLocation
internal import HomingMachine
internal import HomingNotifications
internal import HomingPush
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime
internal import HomingSQLite
internal import HomingSensors

/// A home, which is one Home Assistant: its registration, its queue and the route there. Holds also
/// what the home was told of this machine, its notifications, and its warnings.
///
/// It takes the machine's events, and gives out `state`.
///
/// Long: it joins the parts of a home, and hands on what each reports. It also judges whether
/// another machine has the registration.
@LoopActor final class Home {
    /// Name and id of this home, and the folders of its files.
    struct Place {
        let name: String
        /// The id of the home, whatever its name and its registration.
        let identity: String
        let folders: Surroundings.Folders
        let credentials: HomeCredentials
        /// Whether the keys of `agent.conf` for one home hold for this home.
        let isFirst: Bool
        /// Whether lines of the journal name the home.
        var isOneOfSeveral = false
    }

    enum Event {
        /// `state` has changed.
        case changed
        /// A part of `state` has changed that `homing status` alone tells.
        case detailChanged
        /// The choice of sensors changed. With a new registration (`anew`) all sensors are read.
        case sensorsWanted(anew: Bool)
        /// Whether a look-up would be used has changed.
        case lookUpsWanted
        /// A fix was taken into the queue.
        case reported(Fix)
        /// End of delivery for now; the answer to `drain`.
        case drained
        /// A notification or an order has arrived.
        case content(PushContent, PushOrigin)
        /// An answer to a notification did not reach Home Assistant in time; its text.
        case answerExpired(String)
    }

    let name: String
    let identity: String
    let isFirst: Bool
    let log: HomeLog
    // The parts, for the home and its own tasks: the folders Home, Push and Registration.
    let clock: any Clockwork
    let machine: Machine
    let warnings: Warnings
    let keeper: RegistrationKeeper
    let delivery: Delivery
    let positions: PositionReporter
    let places: PlaceReporter
    let sensors: SensorReporter
    let push: PushStage
    let relay: RelayStage
    let answers: AnswerWatch
    let conversation = Conversation()
    private(set) lazy var upkeep = Upkeep(self)
    private let outbox: any PersistentOutbox
    private let spiller: Spiller?
    private let credentials: HomeCredentials
    private let makeTransport: Surroundings.TransportMaker
    /// Traits by which this machine is known.
    let traits: MachineTraits
    /// The identity of a copy of an image, for its first registration; `nil` for the machine id.
    let copyIdentity: String?
    private let report: @LoopActor (Event) -> Void
    private var settings: Configuration
    private var http: HTTPClient
    private var twins = TwinWatch()
    private var isStarted = false
    private var isStopped = false
    private var isChanging = false

    /// Opens the queue and reads the registration; nothing is sent before `start()`.
    ///
    /// Throws the reason why the home cannot work, in a sentence.
    init(
        _ place: Place, _ configuration: Configuration, _ surroundings: Surroundings,
        machine: Machine, report: @escaping @LoopActor (Event) -> Void
    ) throws(StartFailure) {
        let clock = surroundings.clock
        name = place.name
        identity = place.identity
        isFirst = place.isFirst
        let log = HomeLog(home: place.name, writeLine: surroundings.writeLine)
        log.nameHome(place.isOneOfSeveral)
        self.log = log
        self.clock = clock
        self.machine = machine
        self.report = report
        credentials = place.credentials
        settings = configuration
        makeTransport = surroundings.transport
        traits = .read(surroundings.files)
        copyIdentity = CopyIdentity(state: surroundings.folders.state).read()
        http = HTTPClient(configuration)
        let home = Owner<Home>()
        warnings = Warnings(log: log, clock: clock) { home()?.warningsChanged() }
        var opening: [OutboxEvent] = []
        outbox = try surroundings.queue(configuration.outbox, place.folders, clock) {
            // The journal has the events of the opening even if the home cannot be made.
            Self.write($0, to: log)
            if let home = home() { home.handleOutboxEvent($0) } else { opening.append($0) }
        }
        do {
            keeper = try RegistrationKeeper(
                folder: place.folders.state, credentials: place.credentials, log: log)
        } catch {
            throw StartFailure("\(error)", isForPeople: error.isForPeople)
        }
        delivery = Delivery(
            outbox, inGroups: configuration.outbox.durability == .grouped,
            settings: Delivery.Settings(configuration), warnings: warnings,
            seed: surroundings.seed, clock: clock
        ) { home()?.handleDeliveryEvent($0) }
        positions = PositionReporter(
            delivery, settings: ReportPolicy.Settings(configuration, nil),
            hasReader: keeper.registration != nil || configuration.location.queueUnregistered,
            machine: machine, clock: clock, report: report)
        places = PlaceReporter(
            folder: place.folders.state, settings: PlaceReporter.Settings(configuration),
            positions: positions, delivery: delivery, machine: machine, clock: clock,
            report: report)
        sensors = SensorReporter(
            delivery, choice: SensorChoice(configuration), files: surroundings.files,
            machine: machine, clock: clock, report: report)
        push = PushStage(
            delivery, warnings: warnings, settings: configuration.push, folders: place.folders,
            seed: surroundings.seed, clock: clock, report: report,
            channelChanged: { home()?.relay.channelIs($0, openings: $1) },
            useOccasion: { home()?.relay.useOccasion() })
        relay = RelayStage(
            folder: place.folders.state, warnings: warnings, settings: configuration.push,
            seed: surroundings.seed, clock: clock
        ) { home()?.handleRelayStageEvent($0) }
        answers = AnswerWatch(outbox, delivery, clock: clock) { report(.answerExpired($0)) }
        spiller =
            configuration.outbox.durability == .crash ? Spiller(outbox, clock: clock) : nil
        home.set(self)
        for event in opening { handleOutboxEvent(event) }
    }

    var state: HomeState {
        HomeState(
            name: name, registration: keeper.registration, delivery: delivery.state,
            skipped: positions.skipped, zones: positions.zones, queues: queues,
            powerCut: outbox.powerCut, channel: push.state,
            relay: relay.state, place: places.state, sentZone: positions.sentZone,
            disclosure: settings.location.tell,
            warnings: warnings.visible,
            isShared: warnings.isRaised(.registrationShared),
            isRegistering: keeper.isBusy || isChanging)
    }

    private var queues: [HomeState.Queue] {
        Stream.allCases.compactMap { stream in
            do throws(DatabaseError) {
                return HomeState.Queue(
                    stream: stream, ledger: try outbox.ledger(stream),
                    oldest: try outbox.oldest(stream))
            } catch {
                // A queue that cannot be read has its warning.
                return nil
            }
        }
    }

    /// The id of the queue.
    var queueID: String { outbox.databaseID }
    /// The name of a credential with this home's name in it; `nil` without such a credential.
    var ownCredential: String? { credentials.ownName }
    /// Whether the home waits for its first registration: nothing was ever put into its queue.
    var isUnused: Bool {
        state.registration == nil && !keeper.wasRegistered
            && queues.count == Stream.allCases.count
            && queues.allSatisfy { $0.ledger.accepted == 0 }
    }
    /// The configuration of this home.
    var configuration: Configuration { settings }
    /// Client for requests to the home's Home Assistant.
    var client: HTTPClient { http }

    // MARK: Start, settings, end

    /// Begins to deliver.
    func start() {
        isStarted = true
        noteMachine()
        // Another home may have learned of the network before.
        if machine.state.network != nil { networkChanged() } else { updateThrift() }
        places.apply(PlaceReporter.Settings(settings))
        places.noteNetworkLinks(machine.state.links)
        places.noteGPSDState(machine.state.receiver.gpsd)
        answers.resume()
        spiller?.noteRow()
        adopt(keeper.registration)
    }

    /// Other settings from now on.
    func apply(_ configuration: Configuration) {
        let old = settings
        settings = configuration
        // First: what is queued from now on is told by the other settings.
        delivery.apply(Delivery.Settings(configuration))
        updateThrift()
        // Home Assistant shows what was told in the other form.
        if configuration.location.tell != old.location.tell { askPosition() }
        places.apply(PlaceReporter.Settings(configuration))
        sensors.apply(SensorChoice(configuration))
        push.apply(configuration.push)
        relay.apply(configuration.push)
        if TLSOptions(configuration) != TLSOptions(old) { renewClient() }
        adopt(keeper.registration)
        upkeep.configurationChanged()
    }

    /// Another client, by the present settings; the connections of the one before are closed.
    func renewClient() {
        let keepsConnections = http.keepsConnections
        http.shutdown()
        http = HTTPClient(settings)
        http.keepConnections(keepsConnections)
    }

    /// Works with this registration from now on.
    func adopt(_ registration: Registration?) {
        guard !isStopped else { return }
        let isAnother = registration?.webhookID != keeper.registration?.webhookID
        if isAnother {
            twins = TwinWatch()
            warnings.set(.registrationShared, false, ending: .withdrawn)
            delivery.forgetRegistration()
            upkeep.forgetRegistration()
            warnings.set(.tokenLeft, false, ending: .withdrawn)
        }
        keeper.use(registration)
        let own = registration.flatMap { $0.isOwn ? $0 : nil }
        if own == nil { warnings.set(.registrationUnusable, false, ending: .withdrawn) }
        delivery.use(
            own.flatMap(transport), own.map { RouteChooser(registration: $0, settings) })
        positions.setHasReader(registration != nil || settings.location.queueUnregistered)
        sensors.adopt(webhookID: own?.webhookID)
        push.adopt(own, over: http)
        relay.adopt(hasRegistration: own != nil, over: http)
        warnings.set(.notRegistered, registration == nil)
        warnMachine(registration)
        warnings.set(
            .unencrypted, own.map { !$0.isSealed } ?? false,
            ending: own == nil ? .withdrawn : .solved)
        warnings.set(
            .secretUnproven, own?.secretOverPlainHTTP == true,
            ending: own?.provesHomeAssistant == true ? .solved : .withdrawn)
        _ = relayChoice()
        delivery.chooseRoute(networkChanged: true)
        if isAnother { positions.forgetSentZone() }
        places.adopt(hasRegistration: own != nil, isAnother: isAnother)
        upkeep.copy.consider()
    }

    /// `nil` if the secret is missing or no key: nothing would be sealed, so nothing is sent.
    private func transport(_ registration: Registration) -> (any Transport)? {
        guard !registration.lacksSecret else {
            warnings.set(.registrationUnusable, true, detail: Registration.lacksSecretText)
            return nil
        }
        do throws(SecretKeyError) {
            let transport = try makeTransport(
                TransportParts(
                    http: http, registration: registration, outboxID: outbox.databaseID,
                    socket: push.carrier))
            warnings.set(.registrationUnusable, false)
            return transport
        } catch {
            warnings.set(.registrationUnusable, true, detail: "\(error)")
            return nil
        }
    }

    /// The relay that `[push]` names now, or that was joined; if Home Assistant cannot be told of it,
    /// that is raised.
    func relayChoice() -> RelayChoice {
        let choice = relay.choice(credentials)
        warnings.set(
            .pushRelayNoToken, settings.push.url != nil && choice.problem != nil,
            detail: choice.problem, ending: settings.push.url == nil ? .withdrawn : .solved)
        return choice
    }

    /// Has everything delivered, and reports `drained` once nothing more can be. Returns whether
    /// the sensors had news for the end.
    func leave() -> Bool {
        guard sensors.leave() else { return false }
        delivery.drain()
        return true
    }

    /// Has all rows on the disk, as before sleep: the battery may not last. If the disk fails, the
    /// queue raises the warning.
    func writeQueue() {
        delivery.commit()
        try? outbox.spillAll()
    }

    /// Ends everything. Undelivered rows stay in the queue, on disk.
    func stop() {
        isStopped = true
        upkeep.shutdown()
        spiller?.shutdown()
        sensors.shutdown()
        places.shutdown()
        push.shutdown()
        relay.shutdown()
        answers.shutdown()
        // Waiting clients get their answers before their connections are closed.
        delivery.shutdown()
        warnings.shutdown()
        http.shutdown()
        do throws(DatabaseError) { try outbox.spillAll() } catch {
            log.error("cannot write the queue's last minute: \(error.message)")
        }
        outbox.close()
    }

    // MARK: Events of the machine

    func handleMachineEvent(_ event: Machine.Event) {
        switch event {
        case .fix(let fix):
            let isReturn = places.note(fix)
            positions.consider(fix, isReturn: isReturn)
        case .network:
            networkChanged()
        case .links: places.noteNetworkLinks(machine.state.links)
        case .receiver: places.noteGPSDState(machine.state.receiver.gpsd)
        case .lookUp(let fix): places.noteLookUp(fix)
        case .power: updateThrift()
        case .thrift:
            updateThrift()
            push.routeChanged(networkChanged: false)
        case .readings(let readings): sensors.considerReadings(readings, homing: state.homing)
        case .sleep(.preparing):
            places.noteSleepState(.preparing)
            // First: the relay would be held for the channel that is closed.
            relay.sleep()
            push.sleep()
            sensors.leave()
            // Also where Home Assistant is silent until the machine sleeps.
            writeQueue()
            delivery.drain()
        case .sleep(.awake):
            http.keepConnections(true)
            delivery.stopDraining()
            delivery.rearm()
            warnings.rearm()
            upkeep.rearm()
            answers.rearm()
            networkChanged()
            places.noteSleepState(.awake)
            places.rearm()
            sensors.comeBack()
            push.resume()
            relay.resume()
        case .sessions, .changed: break
        }
    }

    private func networkChanged() {
        updateThrift()
        delivery.networkChanged(machine.state.network)
        upkeep.copy.networkChanged()
    }

    private func updateThrift() {
        let machine = machine.state
        let thrift = machine.thrift
        let isDear = machine.isMetered || machine.power.onBattery
        positions.apply(ReportPolicy.Settings(settings, thrift))
        sensors.setThrift(thrift)
        delivery.setPace(
            thrift.map {
                let location = settings.location
                return .thrifty(
                    wait: $0.wait(usual: location.batchMetered, maxAge: location.maxAge))
            }
                ?? (isDear ? .dear : .usual))
        push.set(isMetered: machine.isMetered, closedFor: thrift?.closesChannel == true)
        relay.setLooks(thrift.map(RelayAttention.Looks.init) ?? (isDear ? .stretched(1) : .usual))
    }

    /// Runs work that may wait; the home stays until the work has ended.
    func run(_ work: @escaping @LoopActor () async -> Void) {
        spawn {
            await work()
            withExtendedLifetime(self) {}
        }
    }

    /// Runs a change of the registration or of the home, from now on or never: no other change may
    /// come between. Refuses where another change is under way.
    func change<Value: Codable & Sendable>(
        for client: OpenRequest, _ work: @escaping @LoopActor () async throws(ControlError) -> Value
    ) {
        guard !isChanging, !keeper.isBusy else { return client.refuse(.registering) }
        isChanging = true
        client.answerLater { () async throws(ControlError) -> Value in
            defer { self.isChanging = false }
            return try await work()
        }
    }

    /// Shows a notification of the home's own.
    func show(_ message: PushMessage) { report(.content(.notification(message), .direct)) }

    // MARK: Signs of another machine

    /// Notes a sign that another machine uses this registration. Warns once there are enough signs.
    func sawAnother() {
        let now = clock.now()
        twins.sawSign(at: now)
        if twins.isCertain(at: now) { warnings.set(.registrationShared, true) }
    }

    /// Whether another machine may have this registration, and its token.
    var mayBeShared: Bool {
        twins.isSuspected(at: clock.now()) || warnings.isRaised(.registrationShared)
            || keeper.registration?.isOwn == false
    }

    /// Learns from a configuration that a person asked for. So a sensor that was just enabled in
    /// Home Assistant works at once.
    func learn(_ content: JSONValue) {
        // While it starts, the cloud may not be there yet.
        guard let facts = ReplyReader.configuration(content), facts.trackerLoaded else { return }
        delivery.learned(facts)
    }

    // MARK: Events of the parts

    private func warningsChanged() {
        upkeep.reregistration.consider()
        report(.changed)
    }

    private func handleDeliveryEvent(_ event: Delivery.Event) {
        switch event {
        case .changed: changed()
        case .route(let networkChanged):
            push.routeChanged(networkChanged: networkChanged)
            relay.setHome(
                delivery.state.route?.place.isHome == true || settings.homeAssistant.plainHTTPAway)
            if networkChanged { relay.networkChanged() }
        case .appended: spiller?.noteRow()
        case .settled(let ids, let fate):
            answers.settled(ids, fate)
            places.settled(ids, fate)
        case .learned(let facts): learned(facts)
        case .learnedZones(let zones):
            positions.learn(ZoneMap(zones))
            places.learn(zones)
        case .receipt(let path):
            upkeep.homeAssistantAnswered()
            if let path { places.noteReceiptPath(path) }
        case .wantsPosition: askPosition()
        case .doubtsNetwork: machine.want(.network)
        case .sensorsDisabled(let ids): sensors.noteDisabled(ids)
        case .strangePlace:
            log.info(
                "Home Assistant shows a location for this machine that this machine did not report")
            sawAnother()
        case .tracker(let question): upkeep.tracker.askTrackerQuestion(question)
        case .drained:
            http.keepConnections(false)
            report(.drained)
        }
    }

    private func changed() {
        push.deliveryChanged()
        relay.useOccasion()
        upkeep.changed()
        report(.changed)
    }

    /// Home Assistant told of itself: keeps the addresses that are new.
    private func learned(_ facts: HomeAssistantFacts) {
        upkeep.homeAssistantAnswered()
        sensors.setDisabled(facts.disabledSensors)
        if let known = facts.knownSensors { sensors.setKnown(known) }
        // Without a secret that only Home Assistant knows, another host could have sent this
        // answer.
        guard var updated = keeper.registration, updated.provesHomeAssistant else { return }
        updated.cloudhookURL = facts.cloudhookURL
        updated.remoteUIURL = facts.remoteUIURL
        guard updated != keeper.registration else { return keeper.retry() }
        keeper.update(updated)
        delivery.use(RouteChooser(registration: updated, settings))
        delivery.chooseRoute(networkChanged: false)
    }

    private func handleRelayStageEvent(_ event: RelayStage.Event) {
        switch event {
        case .changed: report(.detailChanged)
        case .push(let post, let age): takeRelayed(post, age: age)
        case .notice(let notice): show(PushMessage(notice))
        case .renewed: upkeep.description.consider()
        case .tokenRefused: rejoinRelay()
        }
    }

    private func handleOutboxEvent(_ event: OutboxEvent) {
        switch event {
        case .note(.setAside(let path, _, _)): replaced(kept: path)
        case .note(.powerCut(let cut, let number, _)) where cut.lost > 0:
            delivery.forgetRecentRows()
            delivery.handleCourierEvent(.lost(through: number))
        case .note: delivery.forgetRecentRows()
        case .trouble(let error):
            warnings.set(.outboxFailed, error != nil, detail: error?.message)
        case .journalTrouble(let error):
            warnings.set(.journalFailed, error != nil, detail: error?.message)
        }
    }

    private static func write(_ event: OutboxEvent, to log: HomeLog) {
        guard case .note(let note) = event else { return }
        log.write(note.isWarning ? .warning : .info, "\(note)")
    }

    /// Another queue in the place of a damaged one: its rows have another name on the wire, and
    /// what is under way is of the old one.
    private func replaced(kept path: String) {
        warnings.set(.outboxReplaced, true, detail: path)
        delivery.outboxReplaced()
        guard isStarted, let registration = keeper.registration else { return }
        adopt(registration)
        askPosition()
    }
}
