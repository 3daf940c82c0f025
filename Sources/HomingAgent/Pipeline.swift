internal import HomingBase
internal import HomingDelivery
internal import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingRoutes
internal import HomingRuntime

/// Joins the pure stages: takes what sources and people say, and performs what the stages decide.
///
/// One direction: observation → policy → outbox → courier → Home Assistant. Only the outbox is
/// durable, only the courier decides what is sent when.
@LoopActor final class Pipeline {
    /// A fix that people may be shown, and when it came.
    struct LastFix {
        let fix: Fix
        let at: Moment
    }

    /// What the pipeline asks of the sources.
    struct Sources {
        var watchReceiver: @LoopActor () -> Void
        var restReceiver: @LoopActor () -> Void
        var refreshNetwork: @LoopActor () -> Void
    }

    let outbox: any OutboxStore
    let clock: any Clockwork
    var sources = Sources(watchReceiver: {}, restReceiver: {}, refreshNetwork: {})
    /// Called after anything a person may want to see changed.
    var onChange: @LoopActor () -> Void = {}
    /// Called when the way was chosen anew; whether for another network.
    var onWay: @LoopActor (Bool) -> Void = { _ in }
    /// Called when rows came to their end.
    var onSettled: @LoopActor ([EntryID], Fate) -> Void = { _, _ in }
    /// Called when there is a new row in the outbox.
    var onAppend: @LoopActor () -> Void = {}
    /// Called when other warnables are shown than before.
    var onWarnings: @LoopActor () -> Void = {}
    /// Called before a position is accepted only because it is time for one.
    var onHeartbeat: @LoopActor () -> Void = {}
    /// Called with each fix that people may be shown, reported or not.
    var onFix: @LoopActor (Fix) -> Void = { _ in }
    /// Called with each fix that was accepted.
    var onAccepted: @LoopActor (Fix) -> Void = { _ in }
    /// Called when Home Assistant told its URLs.
    var onFacts: @LoopActor (HomeAssistantFacts) -> Void = { _ in }

    /// Called when the machine is about to sleep, before what is queued goes home, and when it is
    /// awake again.
    var onSleep: @LoopActor (SleepState) -> Void = { _ in }
    /// Called when nothing more is to be done before the machine sleeps.
    var onReadyForSleep: @LoopActor () -> Void = {}
    /// Called when Home Assistant said that somebody disabled these sensors.
    var onSensorsDisabled: @LoopActor ([String]) -> Void = { _ in }

    /// Called when something is to be done for a tracker that is missing.
    var onTracker: @LoopActor (TrackerRepair.Effect) -> Void = { _ in }

    /// Whether something vouches for this machine's clock; asked for a receiver without a date.
    var isClockSet: @LoopActor () -> Bool = { false }

    var receiverTime = ReceiverTime()
    var policy: LocationPolicy
    var gate: MotionGate
    var courier: Courier
    var health = HealthBoard()
    var twins = TwinWatch()
    var tracker = TrackerRepair()
    var settler = NetworkSettler()
    var transport: (any Transport)?
    var chooser: WayChooser?
    var way: Way?
    var power = PowerState.mains
    var gpsd = GPSDState.disconnected("not tried yet")
    /// The newest fix that people may be shown, reported or not.
    var lastFix: LastFix?
    /// Uptime since which a receiver has given no fix.
    var fixlessSince: Seconds?
    /// The reason for which every fix is skipped.
    var streak = SkipStreak()
    var rejections: [(time: Seconds, what: String, reason: String)] = []
    /// Rows refused since that warning appeared.
    var rejectedCount = 0
    var homeAssistantVersion: String?
    /// Seconds since 1970 at which rows were last proved to be delivered; `nil` if none since the start.
    var deliveredAt: Seconds?
    var waiters: [RowWaiter] = []
    var queueTTL: Seconds?
    /// Called once, when the courier has nothing more to do: somebody waits for us.
    var onceQuiet: (@LoopActor () -> Void)?
    /// Nothing is sent for the moment, by anybody but who holds it.
    var isHeld = false
    /// What the warnables were last read from.
    var shownTrouble: (Courier.Trouble?, TrackerRepair.Absence) = (nil, .unknown)

    /// Courier events that came up while one was being handled.
    private var pending: [Courier.Event] = []
    private var isHandling = false

    private(set) lazy var courierTimer = WakeTimer(clock) { [weak self] in self?.tell(.wake) }
    private(set) lazy var gateTimer = WakeTimer(clock) { [weak self] in self?.gateWoke() }
    private(set) lazy var settlerTimer = WakeTimer(clock) { [weak self] in self?.settlerWoke() }
    private(set) lazy var receiverTimer = WakeTimer(clock) { [weak self] in
        self?.receiverTimeWoke()
    }
    private(set) lazy var healthTimer = WakeTimer(clock) { [weak self] in self?.reviewHealth() }

    var timers: [WakeTimer] {
        [courierTimer, gateTimer, settlerTimer, receiverTimer, healthTimer]
    }

    init(
        settings: AgentSettings, outbox: any OutboxStore, seed: UInt64,
        clock: any Clockwork = SystemClock()
    ) {
        self.outbox = outbox
        self.clock = clock
        policy = LocationPolicy(settings: settings.location)
        gate = MotionGate(
            stillInterval: settings.stillInterval, minDistance: settings.location.minDistance)
        courier = Courier(settings: settings.courier, seed: seed)
        queueTTL = settings.queueTTL
    }

    /// Other settings from now on; what is under way goes on.
    func apply(_ settings: AgentSettings) {
        policy.settings = settings.location
        gate.stillInterval = settings.stillInterval
        gate.minDistance = settings.location.minDistance
        courier.settings = settings.courier
        queueTTL = settings.queueTTL
        // Who reloads has looked.
        raise(.rejected, false)
    }

    /// Something a source noticed.
    func observe(_ observation: Observation) {
        let now = clock.now()
        switch observation {
        case .position(let report): position(report, now)
        case .gpsd(let state): gpsdChanged(state, now)
        case .network(let state): perform(settler.heard(state, at: now))
        case .power(let state):
            power = state
            updateThrift()
        case .sleep(let state): sleepChanged(state, now)
        }
        onChange()
    }

    /// Tells the courier, in order, and performs what it decides.
    func tell(_ event: Courier.Event) {
        pending.append(event)
        guard !isHandling else { return }
        isHandling = true
        while !pending.isEmpty {
            let event = pending.removeFirst()
            for effect in courier.handle(event, at: clock.now()) { perform(effect) }
        }
        isHandling = false
        considerTracker()
        updateDeliveryHealth()
        answerWaitersIfStuck()
        tellIfQuiet()
        onChange()
    }

    /// Ends what is under way; the outbox stays as it is.
    func shutdown() {
        onceQuiet = nil
        transport?.cancel()
        for timer in timers { timer.cancel() }
        for waiter in waiters { waiter.giveUp() }
        waiters = []
    }
}
