internal import HomingHTTP
internal import HomingLocation
internal import HomingMachine
internal import HomingRuntime

/// Tells one Home Assistant at which known place the machine is, while no receiver does.
@LoopActor final class PlaceReporter {
    private let positions: PositionReporter
    private let log: HomeLog
    private let clock: any Clockwork
    private let file: KnownNetworksFile
    private let changed: @LoopActor () -> Void
    private var configured: [Place]
    private var zones: [Zone] = []
    private var stage: PlaceStage
    private var choice: SourceChoice
    private lazy var stageTimer = WakeTimer(clock) { [weak self] in self?.handle(.wake) }
    private lazy var choiceTimer = WakeTimer(clock) { [weak self] in
        guard let self else { return }
        self.perform(self.choice.wake(at: self.clock.now()))
    }

    /// - Parameters:
    ///   - folder: the state folder of the home.
    ///   - changed: called when `state` is another.
    init(
        folder: String, places: [Place], silence: Seconds, positions: PositionReporter,
        log: HomeLog, clock: any Clockwork, changed: @escaping @LoopActor () -> Void
    ) {
        self.positions = positions
        self.log = log
        self.clock = clock
        self.changed = changed
        configured = places
        file = KnownNetworksFile(folder: folder)
        stage = PlaceStage(file.load(log))
        choice = SourceChoice(silence: silence)
    }

    /// Where the networks show the machine to be, and whether one of them travels with it.
    var state: PlaceState { PlaceState(verdict: stage.verdict, isTravelling: stage.isTravelling) }

    func apply(places: [Place], silence: Seconds) {
        configured = places
        choice.silence = silence
        tellPlaces()
    }

    func take(_ links: NetworkLinks?) { handle(.links(links)) }
    func take(_ state: SleepState) { handle(.sleep(state)) }
    func take(_ path: ConnectionPath) { handle(.receipt(local: path.local, peer: path.peer)) }

    /// Takes the zones of Home Assistant.
    func learn(_ zones: [Zone]) {
        self.zones = zones
        tellPlaces()
        handle(.home(zones.first { $0.entityID == "zone.home" }))
    }

    /// Takes a position that the receiver has.
    ///
    /// - Returns: whether the position is to be told though it is near the last one.
    func note(_ fix: Fix) -> Bool {
        handle(.fix(fix))
        let zone = positions.zones.zone(at: fix.coordinate, accuracy: fix.accuracy)
        let (isReturn, effects) = choice.noteFix(
            at: fix.coordinate, state: zone?.state ?? SourceChoice.awayName, clock.now())
        perform(effects)
        return isReturn
    }

    /// There is another registration: what was told was told to another Home Assistant.
    func forgetTold() { perform(choice.forgetTold(at: clock.now())) }

    func rearm() {
        stageTimer.rearm()
        choiceTimer.rearm()
    }

    func shutdown() {
        stageTimer.cancel()
        choiceTimer.cancel()
    }

    /// A name in the configuration may be written otherwise than in Home Assistant.
    private func tellPlaces() {
        handle(
            .places(
                configured.map { place in
                    guard case .zone(let name) = place.target,
                        case .known(let state) = ZoneChoice(name, among: zones)
                    else { return place }
                    var place = place
                    place.target = .zone(state)
                    return place
                }))
    }

    private func handle(_ event: PlaceStage.Event) {
        let before = state
        for effect in stage.handle(event, at: clock.now()) {
            switch effect {
            case .believe(let verdict):
                log.info(verdict.text)
                perform(choice.note(verdict, at: clock.now()))
            case .save: file.save(stage.known, log)
            case .wake(let uptime): stageTimer.set(at: uptime)
            }
        }
        if state != before { changed() }
    }

    private func perform(_ effects: [SourceChoice.Effect]) {
        for effect in effects {
            switch effect {
            case .tell(let target): positions.report(target)
            case .wake(let uptime): choiceTimer.set(at: uptime)
            }
        }
    }
}

/// Where networks show the machine to be.
struct PlaceState: Equatable, Sendable {
    var verdict = PlaceStage.Verdict.unknown
    /// Whether a network of the machine's moves with it, and says nothing of a place.
    var isTravelling = false
}

extension PlaceStage.Verdict {
    /// The verdict for the journal, without a coordinate.
    fileprivate var text: String {
        switch self {
        case .unknown: "the place is unknown"
        case .at(_, let name, let evidence): "the place is \(name), by the \(evidence.text)"
        case .away: "the place is away: another network"
        }
    }
}

extension Place.Evidence {
    /// What it is, for people.
    var text: String {
        switch self {
        case .ssid: "SSID"
        case .connection: "connection"
        case .hardware: "gateway or access point"
        }
    }
}
