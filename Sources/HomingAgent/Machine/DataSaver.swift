internal import HomingMachine
internal import HomingRuntime

/// Counts the data that Homing uses, keeps the count over restarts, and decides how much is saved.
@LoopActor final class DataSaver {
    /// Seconds between two looks at what was used where nobody asks, and between two writes of the
    /// count. So much of the count a power cut takes.
    private static let interval: Seconds = 3600

    private let file: RuntimeFile<DataUse>
    private let meter: @LoopActor () -> Int
    private let clock: any Clockwork
    private let isClockSet: @LoopActor () -> Bool
    private let changed: @LoopActor () -> Void
    private var policy: ThriftPolicy
    private var network: NetworkState?
    private var power = PowerState.mains
    private var stored: DataUse?
    /// Uptime of the last write.
    private var storedAt: Seconds
    /// Uptime of the last count.
    private var countedAt: Seconds
    /// Bytes that the meter counted at the last look.
    private var seen: Int
    /// Data that was used in this month.
    private(set) var use: DataUse
    private lazy var timer = WakeTimer(clock) { [weak self] in self?.look() }

    /// - Parameters:
    ///   - folder: where the count is kept.
    ///   - meter: gives the bytes that this process has used since its start.
    ///   - isClockSet: whether the machine's clock is known to be right.
    ///   - changed: called when `thrift` or `shortage` is another one.
    init(
        _ settings: ThriftPolicy.Settings, folder: String,
        meter: @escaping @LoopActor () -> Int, clock: any Clockwork,
        isClockSet: @escaping @LoopActor () -> Bool,
        changed: @escaping @LoopActor () -> Void
    ) {
        self.meter = meter
        self.clock = clock
        self.isClockSet = isClockSet
        self.changed = changed
        policy = ThriftPolicy(settings: settings)
        file = RuntimeFile(
            path: "\(folder)/data-use.json", limit: 4096,
            loss: "the data used this month is counted from 0")
        let now = clock.now()
        stored = file.load().flatMap { $0.isSound ? $0 : nil }
        (storedAt, countedAt) = (now.uptime, now.uptime)
        use = stored ?? DataUse(at: CalendarTime(local: now.unixTime))
        seen = meter()
        review()
    }

    /// Degree of saving now; `nil` while no data is saved.
    var thrift: Thrift? { policy.thrift }
    /// Reason why the budget does not last; `nil` as long as the budget may last.
    var shortage: String? { policy.shortage }
    var settings: ThriftPolicy.Settings { policy.settings }

    func apply(_ settings: ThriftPolicy.Settings) {
        guard settings != policy.settings else { return }
        policy.settings = settings
        look()
    }

    /// Takes the network from now on: the network before has carried what was used until now. Where
    /// nothing carries the default route, or NetworkManager is away, the network before counts on: it
    /// may come back.
    func noteNetworkState(_ network: NetworkState?) {
        count()
        if network?.primary != nil || self.network?.primary == nil { self.network = network }
        review()
    }

    func notePowerState(_ power: PowerState) {
        self.power = power
        review()
    }

    /// Counts the data used until now, and decides again how much is saved.
    func look() {
        count()
        review()
    }

    /// Has the count on the disk.
    func store() {
        count()
        write()
    }

    private func write() {
        storedAt = clock.now().uptime
        guard use != stored else { return }
        file.store(use)
        stored = use
    }

    /// The loop's timers have stood still.
    func rearm() {
        timer.rearm()
        review()
    }

    func shutdown() {
        store()
        timer.cancel()
    }

    private func count() {
        let now = clock.now()
        let total = meter()
        countedAt = now.uptime
        use.turn(to: CalendarTime(local: now.unixTime), isCertain: isClockSet())
        use.add(total - seen, on: network)
        seen = total
        if now.uptime >= storedAt + Self.interval { write() }
    }

    private func review() {
        let now = clock.now()
        let time = CalendarTime(local: now.unixTime)
        use.turn(to: time, isCertain: isClockSet())
        let isAnother = policy.review(network: network, power: power, use: use, at: time)
        let change = policy.secondsToChange(from: time).map { now.uptime + $0 } ?? .infinity
        timer.set(at: max(now.uptime + 1, min(change, countedAt + Self.interval)))
        if isAnother { changed() }
    }
}
