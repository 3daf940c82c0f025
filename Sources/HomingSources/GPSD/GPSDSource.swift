internal import HomingBase
internal import HomingBus
internal import HomingLocation
public import HomingMachine
public import HomingRuntime

/// Watches the receivers behind gpsd: delivers `.position` for each of gpsd's TPV reports, and
/// `.gpsd` whenever its own state changed.
///
/// A connection refused or lost is tried again forever, by a `Pacer`. So is one that is
/// silent: a receiver without a fix still reports so each second, but gpsd does not notice a pty
/// that hung up, and a hung gpsd notices nothing. After a silence the state stays
/// `.disconnected(silentText)` until a report comes, or gpsd says that it has no receiver.
@LoopActor public final class GPSDSource: Source {
    private enum Phase {
        case idle
        case connecting(PendingCall, deadline: any Alarm)
        case connected(GPSDConnection)
        case waiting(any Alarm)
    }

    /// Seconds that looking up the host and connecting may take together.
    private static let connectDeadline: Seconds = 5
    static let silentText = "gpsd sends no data from a receiver"
    /// Receivers whose names are delivered, and bytes of a name.
    private static let (named, longestName) = (8, 64)

    private let host: String
    private let port: UInt16
    private let device: String?
    private let silence: Seconds
    private let deliver: @LoopActor (Observation) -> Void
    private let clock: any Clockwork
    private var pacer: Pacer
    private var phase = Phase.idle
    private lazy var silenceEnd = clock.deadline { [weak self] in self?.heardNothing() }
    /// Number of receivers that gpsd has open; `nil` until gpsd told the number.
    private var receivers: Int?
    /// Whether the last connection ended in silence and this one has not reported yet.
    private var silent = false
    /// Whether others than the chosen receiver have reported since the last look.
    private var hasOthers = false
    private var completion = ReportCompletion()
    private var delivered: GPSDState?
    /// The receivers that gpsd has open, as last listed, and as last delivered.
    private var (names, deliveredNames): ([String], [String]) = ([], [])

    /// - Parameters:
    ///   - host: name or address; gpsd listens on loopback only, unless told otherwise.
    ///   - port: 2947 is gpsd's own.
    ///   - device: the one receiver whose reports count; `nil` for all.
    ///   - silence: seconds without a report after which gpsd counts as hung.
    ///   - deliver: gets `.position`, `.gpsd`, and `.sky` at each `tellSky()`; it may call `rest()` from
    ///     within.
    public init(
        host: String = "127.0.0.1", port: UInt16 = 2947, device: String? = nil,
        silence: Seconds = 30, rhythm: Pacer.Rhythm = .reconnecting, clock: any Clockwork,
        deliver: @escaping @LoopActor (Observation) -> Void
    ) {
        self.host = host
        self.port = port
        self.device = device
        self.silence = silence
        self.clock = clock
        pacer = Pacer(rhythm)
        self.deliver = deliver
    }

    /// Begins to watch: the same as `watch()`.
    public func start() { watch() }

    /// Connects and watches, and goes on trying; at once, if a try is being waited for. Watching
    /// twice is watching once.
    public func watch() {
        if case .idle = phase {
            silent = false
            connect()
        }
        retryNow()
    }

    /// Hangs up, so that gpsd may let the receiver sleep, and delivers `.gpsd(.resting)`.
    public func rest() {
        tellSky()
        leave(for: .idle)
        note(.resting)
    }

    /// Delivers the newest view of the sky, if there is a view.
    public func tellSky() {
        if case .connected(let connection) = phase, let view = connection.sky() {
            deliver(.sky(view))
        }
    }

    /// Tries at once if a try is being waited for: something has changed that may help. A source
    /// at rest stays there.
    public func retryNow() {
        if case .waiting = phase { connect() }
    }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        leave(for: .idle)
        delivered = nil
    }

    private func connect() {
        let call = TCPConnector.connect(host: host, port: port) { [weak self] outcome in
            switch outcome {
            case .success(let descriptor): self?.opened(descriptor)
            case .failure(let error): self?.lose(error.message)
            }
        }
        let deadline = clock.retry(after: Self.connectDeadline) { [weak self] in
            self?.lose("gpsd does not answer")
        }
        phase = .connecting(call, deadline: deadline)
    }

    private func opened(_ descriptor: Int32) {
        phase = .connected(
            GPSDConnection(descriptor, device: device) { [weak self] in self?.handle($0) })
        completion.connected()
        receivers = nil
        awaitReport()
    }

    private func handle(_ event: GPSDConnection.Event) {
        switch event {
        case .report(let report): reported(report)
        case .otherReceiver: heardOther()
        case .sky(let hasHDOP): if hasHDOP { completion.heardHDOP(at: clock.now().uptime) }
        case .timeOfDay(let time): completion.noteTimeOfDay(time, at: clock.now().uptime)
        case .receivers(let names): listed(names)
        case .lost(let text): lose(text)
        }
    }

    private func reported(_ report: PositionReport) {
        pacer.succeeded()
        silent = false
        awaitReport()
        if receivers == nil || receivers == 0 { receivers = 1 }
        note(.watching(receivers: receivers ?? 1))
        tellNames()
        // Whoever got the state may have sent us to rest.
        guard case .connected(let connection) = phase else { return }
        if completion.wantsSentences(after: report) { connection.askForSentences() }
        let complete = completion.complete(
            report, at: clock.now().uptime, hdop: { connection.hdop() })
        deliver(.position(complete))
    }

    /// gpsd reports, though not of the chosen receiver.
    private func heardOther() {
        pacer.succeeded()
        silent = false
        hasOthers = true
    }

    /// gpsd has these receivers open, by path and driver.
    private func listed(_ open: [String]) {
        let meant = open.filter { name in
            device.map { name == $0 || name.hasPrefix("\($0) ") } ?? true
        }
        names = meant.prefix(Self.named).map { SafeText.line($0, limit: Self.longestName) }
        tellNames()
        counted(open.count)
    }

    /// Delivers the names of the receivers, if they changed. Those of a silent gpsd are worth nothing.
    private func tellNames() {
        guard !silent, names != deliveredNames else { return }
        deliveredNames = names
        deliver(.receivers(names))
    }

    private func counted(_ count: Int) {
        // Which devices they are is not told: those of others do not stand for the chosen one.
        if device != nil, receivers == 0, count > 0 { return }
        let hadNone = receivers == 0
        receivers = count
        if hadNone { awaitReport() }
        if count == 0 { silent = false }
        if !silent { note(.watching(receivers: count)) }
    }

    /// Waits for the next report from now on.
    private func awaitReport() {
        hasOthers = false
        silenceEnd.set(after: silence, exactly: false)
    }

    /// Ends a silence. A gpsd without receivers has nothing to report and may be silent: the
    /// connection shows that it is well.
    private func heardNothing() {
        if hasOthers {
            // gpsd is well: the chosen receiver is not there.
            receivers = 0
            note(.watching(receivers: 0))
            awaitReport()
        } else if receivers == 0 {
            pacer.succeeded()
        } else {
            lose(Self.silentText, silent: true)
        }
    }

    private func lose(_ text: String, silent: Bool = false) {
        self.silent = silent
        let wait = pacer.failed(at: clock.now())
        leave(for: .waiting(clock.retry(after: wait) { [weak self] in self?.connect() }))
        note(.disconnected(text))
    }

    private func leave(for next: Phase) {
        if case .connected(let connection) = phase { connection.close() }
        phase = next
        silenceEnd.cancel()
        (names, deliveredNames) = ([], [])
    }

    private func note(_ state: GPSDState) {
        guard state != delivered else { return }
        delivered = state
        deliver(.gpsd(state))
    }
}
