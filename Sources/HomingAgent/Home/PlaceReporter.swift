internal import HomingDelivery
internal import HomingHTTP
internal import HomingLocation
internal import HomingMachine
internal import HomingRuntime

/// Tells one Home Assistant which place the networks show, or where a service found the machine, while no
/// receiver has a position.
@LoopActor final class PlaceReporter {
    struct Settings {
        var places: [Place]
        /// Seconds without a position after which a receiver counts as silent.
        var silence: Seconds
        /// Whether Home Assistant is told of a place at all.
        var isTold: Bool
        /// Whether there is a service that looks up where the machine is.
        var hasLookUps: Bool
    }

    private let positions: PositionReporter
    private let delivery: Delivery
    private let clock: any Clockwork
    private let file: KnownNetworksFile
    private let machine: Machine
    private let report: @LoopActor (Home.Event) -> Void
    private var settings: Settings
    private var hasRegistration = false
    private var zones: [Zone] = []
    private var stage: PlaceStage
    private var choice: SourceChoice
    /// The last position of the receiver or of a look-up.
    private var lastFix: Fix?
    /// Whether a look-up would be used now.
    private(set) var wantsLookUps = false
    /// The row that told the last place.
    private var row: EntryID?
    private lazy var stageTimer = WakeTimer(clock) { [weak self] in self?.handle(.wake) }
    private lazy var choiceTimer = WakeTimer(clock) { [weak self] in
        self?.choose { $0.wake(at: $1) }
    }

    /// - Parameters:
    ///   - folder: the state folder of the home.
    init(
        folder: String, settings: Settings, positions: PositionReporter, delivery: Delivery,
        machine: Machine, clock: any Clockwork,
        report: @escaping @LoopActor (Home.Event) -> Void
    ) {
        self.positions = positions
        self.delivery = delivery
        self.clock = clock
        self.machine = machine
        self.report = report
        self.settings = settings
        file = KnownNetworksFile(folder: folder)
        stage = PlaceStage(file.load(delivery.log))
        choice = SourceChoice(silence: settings.silence, at: clock.now())
        choice.hasLookUps = settings.hasLookUps
    }

    /// Place that the networks show, and whether a network travels with the machine. Has also the
    /// source of the location that was told last.
    var state: PlaceState {
        PlaceState(
            verdict: stage.verdict, isTravelling: stage.isTravelling,
            source: settings.isTold ? choice.source : nil)
    }

    // MARK: Its home's settings, registration and zones

    func apply(_ settings: Settings) {
        self.settings = settings
        choice.silence = settings.silence
        choice.hasLookUps = settings.hasLookUps
        resolve()
        askForZones()
        choose { $0.noteRegistration(isTold, isAnother: false, at: $1) }
    }

    /// Whether there is a Home Assistant that is to be told.
    private var isTold: Bool { hasRegistration && settings.isTold }

    /// Works for this registration from now on.
    ///
    /// - Parameter isAnother: whether it is another one, perhaps of another Home Assistant.
    func adopt(hasRegistration: Bool, isAnother: Bool) {
        if isAnother {
            (zones, row, lastFix) = ([], nil, nil)
            handle(.forgetHome)
            resolve()
        }
        self.hasRegistration = hasRegistration
        choose { $0.noteRegistration(isTold, isAnother: isAnother, at: $1) }
    }

    /// Takes the zones of Home Assistant.
    func learn(_ zones: [Zone]) {
        self.zones = zones
        resolve()
        if let home = zones.first(where: { $0.entityID == "zone.home" }) { handle(.home(home)) }
        if let lastFix { choose { $0.correct(state: stateIn(lastFix), at: $1) } }
    }

    // MARK: The machine

    func noteNetworkLinks(_ links: NetworkLinks?) {
        handle(.links(links))
        askForZones()
    }

    func noteSleepState(_ state: SleepState) { handle(.sleep(state)) }

    func noteGPSDState(_ state: GPSDState) {
        let isThere: Bool? =
            switch state {
            case .watching(let receivers): receivers > 0
            case .off: false
            // Nothing is said of a receiver.
            case .disconnected, .resting: nil
            }
        guard let isThere else { return }
        handle(.receiver(isThere))
        choose { $0.noteReceiver(isThere, at: $1) }
    }

    /// A person says that the present networks are at home, or has them forgotten.
    func judge(isHome: Bool) { handle(.judge(isHome: isHome)) }

    /// The present networks, and what is known of each.
    var networks: [PlaceStage.Network] { stage.networks }

    func noteReceiptPath(_ path: ConnectionPath) {
        guard let local = IPAddress(path.local), let peer = IPAddress(path.peer) else { return }
        handle(.receipt(local: local, peer: peer))
    }

    /// Takes a position that the receiver has.
    ///
    /// - Returns: whether the position is to be told though it is near the last one.
    func note(_ fix: Fix) -> Bool {
        lastFix = fix
        handle(.fix(fix))
        var isReturn = false
        choose { choice, now in
            let (isBack, effects) = choice.noteFix(
                at: fix.coordinate, state: stateIn(fix), now)
            isReturn = isBack
            return effects
        }
        return isReturn
    }

    /// Takes a position that a service has looked up.
    func noteLookUp(_ fix: Fix) { choose { $0.noteLookUp(fix, state: stateIn(fix), at: $1) } }

    // MARK: The queue

    /// Home Assistant has no news of this machine: the place may be history by now.
    func tellAgain() { choose { $0.forgetPlace(at: $1) } }

    /// Rows left the queue.
    func settled(_ ids: [EntryID], _ fate: Fate) {
        guard let row, ids.contains(row) else { return }
        self.row = nil
        switch fate {
        case .deliveredLive, .superseded, .rejected: break
        case .deliveredTrack, .expired, .evicted, .lostWithDatabase, .lostInPowerCut: tellAgain()
        }
    }

    func rearm() {
        stageTimer.rearm()
        choiceTimer.rearm()
    }

    func shutdown() {
        stageTimer.cancel()
        choiceTimer.cancel()
    }

    // MARK: Decisions

    private func stateIn(_ fix: Fix) -> String {
        positions.zones.zone(at: fix.coordinate, accuracy: fix.accuracy)?.state
            ?? SourceChoice.awayName
    }

    /// Whether the place is a zone whose state is known by Home Assistant's zones alone.
    nonisolated private static func needsZones(_ place: Place) -> Bool {
        guard case .zone(let name) = place.target else { return false }
        return name != PlaceStage.homeName && name != SourceChoice.awayName
    }

    /// A place is told by the state that Home Assistant gives a tracker there.
    private func askForZones() {
        let needsZones = settings.places.contains { Self.needsZones($0) }
        if zones.isEmpty, needsZones, !stage.networks.isEmpty { delivery.prove() }
    }

    /// Names places as Home Assistant does. Before the zones are known, such places wait.
    private func resolve() {
        handle(
            .places(
                settings.places.compactMap { place in
                    guard Self.needsZones(place), case .zone(let name) = place.target else {
                        return place
                    }
                    if zones.isEmpty { return nil }
                    var place = place
                    if case .known(let state) = ZoneChoice(name, among: zones) {
                        place.target = .zone(state)
                    }
                    return place
                }))
    }

    private func handle(_ event: PlaceStage.Event) {
        let before = state
        for effect in stage.handle(event, at: clock.now()) {
            switch effect {
            case .show(let verdict):
                delivery.log.info(verdict.text)
                choose { $0.note(verdict, at: $1) }
            case .save: file.save(stage.known, delivery.log)
            case .wake(let uptime): stageTimer.set(at: uptime)
            }
        }
        if state != before { report(.detailChanged) }
    }

    private func choose(_ body: (inout SourceChoice, Moment) -> [SourceChoice.Effect]) {
        let before = choice.source
        performSourceEffects(body(&choice, clock.now()))
        guard choice.source != before else { return }
        report(.detailChanged)
        // A sensor tells the source.
        machine.want(.sensors(after: SensorReader.firstTick))
    }

    private func performSourceEffects(_ effects: [SourceChoice.Effect]) {
        for effect in effects {
            switch effect {
            case .tell(let target):
                row = positions.report(target)
                if row == nil { choose { $0.notStored(at: $1) } }
            case .tellLookUp(let fix):
                lastFix = fix
                row = positions.report(fix)
                if row == nil { choose { $0.notStored(at: $1) } }
            case .wantLookUps(let areWanted):
                wantsLookUps = areWanted
                report(.lookUpsWanted)
            case .doubtLookUp: machine.want(.lookUpAgain)
            case .wake(let uptime): choiceTimer.set(at: uptime)
            }
        }
    }
}
