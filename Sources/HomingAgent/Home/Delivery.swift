internal import HomingDelivery
internal import HomingHTTP
internal import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingRoutes
internal import HomingRuntime
internal import HomingSQLite

/// Delivers the queue of one home: chooses the route, tells the courier what happens, and performs
/// what the courier decides.
///
/// Long: each effect of the courier is performed here, and nowhere else.
@LoopActor final class Delivery {
    /// Events for the home.
    enum Event {
        /// `state` has changed.
        case changed
        /// Another route was chosen. `networkChanged`: because the network changed.
        case route(networkChanged: Bool)
        /// A row was taken into the queue.
        case appended
        /// Rows left the queue, with this fate.
        case settled([EntryID], Fate)
        case learned(HomeAssistantFacts)
        /// Home Assistant gave a receipt over this connection, where that is known.
        case receipt(ConnectionPath?)
        case learnedZones([Zone])
        /// Even the newest position is old.
        case wantsPosition
        /// A request failed, perhaps because of the network.
        case doubtsNetwork
        /// Somebody disabled these sensors in Home Assistant.
        case sensorsDisabled([String])
        /// Home Assistant shows a place that this machine did not report.
        case strangePlace
        /// Home Assistant is to be asked about a tracker that is missing.
        case tracker(TrackerRepair.Question)
        /// End of delivery for now; the answer to `drain`.
        case drained
    }

    struct Settings: Equatable {
        var courier = Courier.Settings()
        /// Seconds that a row may wait; `nil` forever.
        var queueTTL: Seconds?
        /// Detail in which Home Assistant gets the locations.
        var disclosure = Disclosure.exact
    }

    /// Rows of each stream read at one time; positions are bounded by the courier.
    private static let rowsAtOnce = 50
    /// Rows that are dropped in one transaction.
    private static let rowsDropped = 1000

    private let waiters: RowWaiters
    private let outbox: RecentRows
    private let warnings: Warnings
    private let clock: any Clockwork
    private let report: @LoopActor (Event) -> Void
    private var courier: Courier
    private var queueTTL: Seconds?
    private var disclosure: Disclosure
    private var transport: (any Transport)?
    private var chooser: RouteChooser?
    /// Present network; `nil` until NetworkManager or its absence was noticed.
    private var network: NetworkState?
    private var route: Route?
    /// The route that the journal names.
    private var loggedRoute: Route?
    private var tracker = TrackerRepair()
    private let deliveryWarnings: DeliveryWarnings
    private var homeAssistantVersion: String?
    /// Seconds since 1970 at which rows were last proved to be delivered; `nil` if none since the
    /// start.
    private var deliveredAt: Seconds?
    /// Whether nothing is sent for the moment, except by the caller of `hold()`.
    private var isHeld = false
    /// Its home is to be told when the courier has nothing more to do.
    private var isDraining = false
    /// Courier events that came up while one was being handled.
    private var pending: [Courier.Event] = []
    private var isHandling = false
    private lazy var timer = WakeTimer(clock) { [weak self] in self?.handleCourierEvent(.wake) }
    private let commits: GroupCommit?

    /// - Parameters:
    ///   - inGroups: whether positions may wait in memory for others before they are written.
    ///   - seed: for the courier's jitter.
    init(
        _ outbox: any OutboxStore, inGroups: Bool = false, settings: Settings, warnings: Warnings,
        seed: UInt64, clock: any Clockwork, report: @escaping @LoopActor (Event) -> Void
    ) {
        let outbox = RecentRows(outbox)
        self.outbox = outbox
        self.warnings = warnings
        deliveryWarnings = DeliveryWarnings(warnings)
        self.clock = clock
        self.report = report
        let waiters = RowWaiters(outbox)
        self.waiters = waiters
        commits =
            inGroups
            ? GroupCommit(outbox, clock: clock) { waiters.answerGone(as: .evicted) } : nil
        courier = Courier(settings: settings.courier, seed: seed)
        queueTTL = settings.queueTTL
        disclosure = settings.disclosure
    }

    /// The home's.
    var log: HomeLog { warnings.log }

    /// The state for the home, for people and for the token's gate.
    var state: DeliveryState {
        DeliveryState(
            route: route, addresses: chooser?.addresses, health: courier.health,
            current: courier.current, trouble: courier.trouble, nextAttempt: courier.nextAttempt,
            isAtWork: courier.isAtWork, unconfirmed: courier.unconfirmed, zones: courier.zones,
            homeAssistantVersion: homeAssistantVersion, deliveredAt: deliveredAt,
            rejections: deliveryWarnings.rejected, tracker: tracker.absence)
    }

    /// Whether something keeps the rows from going home.
    var hasTrouble: Bool { courier.trouble != nil }
    /// Whether an endpoint in use has proved itself.
    var isProved: Bool { courier.current != nil }

    // MARK: Its home's settings, registration and network

    /// Applies other settings. A request that is under way goes on.
    func apply(_ settings: Settings) {
        courier.settings = settings.courier
        queueTTL = settings.queueTTL
        deliveryWarnings.forgetRejections()
        guard settings.disclosure != disclosure else { return }
        disclosure = settings.disclosure
        updateZoneFormat()
        // What is under way or was read already says more, or less, than it should.
        chooseRoute(networkChanged: true)
    }

    /// Sends by this transport, and over the endpoints of this chooser, from now on. `chooseRoute`
    /// follows.
    func use(_ transport: (any Transport)?, _ chooser: RouteChooser?) {
        self.transport?.cancel()
        self.transport = transport
        self.chooser = chooser
        updateZoneFormat()
    }

    /// Has the transport send zones as this Home Assistant takes them.
    private func updateZoneFormat() {
        transport?.use(
            ZoneFormat(
                version: homeAssistantVersion, zones: courier.zones,
                sendsCentre: disclosure == .exact))
    }

    /// The addresses or the home networks are others; `chooseRoute` follows.
    func use(_ chooser: RouteChooser?) { self.chooser = chooser }

    /// Forgets what the earlier registration taught: there is another registration, or none.
    func forgetRegistration() {
        homeAssistantVersion = nil
        tracker = TrackerRepair()
        handleCourierEvent(.registrationChanged)
    }

    /// This is the network now, or the same after a time in which anything may have happened.
    func networkChanged(_ network: NetworkState?) {
        self.network = network
        transport?.dropConnections()
        chooseRoute(networkChanged: true)
    }

    /// Sets the cost of bytes and wakes from now on.
    func setPace(_ pace: Courier.Pace) { handleCourierEvent(.pace(pace)) }

    /// Chooses the route after a change of the network, the registration or the configuration.
    func chooseRoute(networkChanged: Bool) {
        defer { report(.route(networkChanged: networkChanged)) }
        guard let chooser, transport != nil else {
            (route, loggedRoute) = (nil, nil)
            for warnable in [Warnable.noEndpoint, .portal] {
                warnings.set(warnable, false, ending: .withdrawn)
            }
            handleCourierEvent(.route([], networkChanged: true))
            return
        }
        let new = chooser.route(on: network ?? .unknown)
        if new != loggedRoute, network != nil {
            loggedRoute = new
            let names = new.endpoints.map(\.kind.title).joined(separator: ", then ")
            log.info("\(new.place.text): \(names.isEmpty ? "nothing is sent" : names)")
        }
        route = new
        let isOnline =
            if case .known(let network)? = network { network.connectivity == .full } else { false }
        warnings.set(.portal, new.place == .portal, ending: isOnline ? .solved : .withdrawn)
        // Who does not know the network yet blames nobody.
        warnings.set(
            .noEndpoint,
            network != nil && new.endpoints.isEmpty && new.place != .portal && !new.isCutOff,
            detail: new.exclusions, ending: new.endpoints.isEmpty ? .withdrawn : .solved)
        handleCourierEvent(.route(isHeld ? [] : new.endpoints, networkChanged: networkChanged))
    }

    /// Stops sending until `release()`. A request under way is cancelled; a receipt tells later
    /// whether it arrived.
    func hold() {
        isHeld = true
        chooseRoute(networkChanged: false)
    }

    func release() {
        isHeld = false
        // As after a change of the network: waiting rows are sent at once.
        chooseRoute(networkChanged: true)
    }

    /// The transport and the endpoints for a command that somebody waits for; the best first.
    var direct: (transport: any Transport, endpoints: [Endpoint])? {
        transport.map { ($0, courier.orderForDirectCalls(clock.now())) }
    }

    // MARK: Rows

    /// Takes a message into the queue. `deliver` follows.
    ///
    /// - Returns: `nil` if the queue cannot be written; the queue raises the warning.
    func append(_ message: OutboxMessage, expiresAt: Seconds? = nil) -> EntryID? {
        let now = clock.now()
        guard
            let id = try? outbox.append(message, acceptedAt: now.unixTime, expiresAt: expiresAt)
        else { return nil }
        if message.stream == .location { commits?.handle(.accepted) }
        waiters.answerGone(as: .evicted)
        report(.appended)
        return id
    }

    /// Delivers the appended rows of a stream. An urgent row does not wait for a batch.
    func deliver(_ stream: Stream, urgent: Bool) {
        handleCourierEvent(.accepted(stream, urgent: urgent))
        if stream == .location { commits?.handle(.done(urgent: urgent)) }
    }

    /// Takes an event into the queue, to be delivered at once if that is possible.
    ///
    /// - Parameter expiresAt: seconds since 1970.
    func fire(_ event: EventMessage, expiresAt: Seconds?) -> EntryID? {
        guard let id = append(.event(event), expiresAt: expiresAt) else { return nil }
        deliver(.events, urgent: true)
        return id
    }

    /// Has Home Assistant prove itself.
    func prove() { handleCourierEvent(.prove) }

    /// Home Assistant was reached otherwise.
    func becameReachable() { handleCourierEvent(.reachable) }

    /// Has everything delivered now, and tells `drained` once nothing more can be.
    func drain() {
        isDraining = true
        handleCourierEvent(.flush)
    }

    /// Cancels `drain`: `drained` is not reported.
    func stopDraining() { isDraining = false }

    /// Settles expired rows, also while nothing can be sent. A failure of the queue raises the
    /// queue's own warning and does not stop the courier.
    func expire() { _ = try? passToQueue(.expire) }

    /// The last number of each stream in the queue, by the stream's name. Where the queue cannot be read,
    /// each row counts.
    var lastNumbers: [String: Int64] {
        var numbers: [String: Int64] = [:]
        for stream in Stream.allCases {
            do throws(DatabaseError) { numbers[stream.name] = try outbox.newest(stream) } catch {
                numbers[stream.name] = .max
            }
        }
        return numbers
    }

    /// Drops the rows up to these numbers, as not to be told any more. Throws where the queue fails; some
    /// rows may be dropped then.
    func drop(through numbers: [String: Int64]) throws(DatabaseError) {
        for stream in Stream.allCases {
            guard let last = numbers[stream.name] else { continue }
            for freshness in stream == .location ? [Freshness.history, .live] : [.live] {
                while true {
                    let rows = try outbox.entries(
                        stream, freshness: freshness, after: 0, limit: Self.rowsDropped)
                    let dropped = rows.map(\.id).filter { $0.number <= last }
                    if dropped.isEmpty { break }
                    try outbox.settle(dropped, as: .expired)
                    settled(dropped, .expired, clock.now())
                }
            }
        }
    }

    /// Waits for the row's end.
    ///
    /// - Parameter expires: seconds after which the row is worth nothing, and the wait is over.
    func wait(for id: EntryID, _ waiter: RowWaiter, expires: Seconds? = nil) {
        waiter.assign(id)
        waiters.add(waiter)
        commits?.handle(.mustBeWritten)
        handleCourierEvent(.flush)
        guard let expires, !waiter.isFinished else { return }
        // The queue lets the row go only after its time, by a clock that may be stepped.
        waiter.ends(
            by: clock.once(after: expires + 0.1) { [weak self, weak waiter] in
                self?.expire()
                waiter?.finish(.settled(.expired))
                self?.waiters.removeFinished()
            })
    }

    /// Waits for the end of the next position's row.
    func waitForNextPosition(_ waiter: RowWaiter) { waiters.add(waiter) }

    /// Whether anybody waits for a row.
    var isAwaited: Bool { !waiters.isEmpty }

    /// Forgets a waiter that has gone.
    func forget(_ waiter: RowWaiter?) {
        waiter?.forget()
        waiters.removeFinished()
    }

    /// Gives this row to all who wait for the next position.
    func assignWaiters(_ id: EntryID) {
        guard waiters.assign(id) else { return }
        commits?.handle(.mustBeWritten)
        handleCourierEvent(.flush)
    }

    /// Answers all waiters: the queue was damaged and replaced, and its rows are lost.
    func outboxReplaced() {
        forgetRecentRows()
        waiters.answerReplaced()
    }

    /// Reads the rows from the queue's files again: these files were opened again.
    func forgetRecentRows() { outbox.forget() }

    /// Takes the result of a look for the tracker, or of a reload.
    func trackerLearned(_ event: TrackerRepair.Event) {
        performTrackerEffects(tracker.handle(event, at: clock.now()))
        showTrouble()
        answerWaitersIfStuck()
        report(.changed)
    }

    private func showTrouble() {
        deliveryWarnings.show(
            courier.trouble, tracker.absence, hasRoute: !courier.endpoints.isEmpty)
    }

    /// Has the positions that wait written, as before the machine sleeps.
    func commit() { commits?.handle(.mustBeWritten) }

    /// The machine slept: its timers have stood still.
    func rearm() {
        timer.rearm()
        commits?.rearm()
    }

    /// Cancels the request under way. The queue keeps its rows.
    func shutdown() {
        isDraining = false
        transport?.cancel()
        timer.cancel()
        commits?.shutdown()
        waiters.giveUp()
    }

    // MARK: The courier

    /// Tells the courier, in order, and performs what it decides.
    func handleCourierEvent(_ event: Courier.Event) {
        guard !isHandling else { return pending.append(event) }
        isHandling = true
        var next: Courier.Event? = event
        while let event = next {
            for effect in courier.handle(event, at: clock.now()) { performCourierEffect(effect) }
            next = pending.isEmpty ? nil : pending.removeFirst()
        }
        isHandling = false
        considerTracker()
        showTrouble()
        answerWaitersIfStuck()
        if isDraining, !courier.isAtWork {
            isDraining = false
            report(.drained)
        }
        report(.changed)
    }

    func performCourierEffect(_ effect: Courier.Effect) {
        switch effect {
        case .ask(let request, let endpoint): sendCourierRequest(request, endpoint)
        case .cancel:
            commits?.handle(.mustBeWritten)
            transport?.cancel()
        case .wake(let at): timer.set(at: at)
        case .store(let effect): performStoreEffect(effect)
        case .learned(let facts): learned(facts)
        case .learnedZones(let zones):
            updateZoneFormat()
            report(.learnedZones(zones))
        case .askPosition: report(.wantsPosition)
        case .checkNetwork: report(.doubtsNetwork)
        case .rejected(let ids, let reason):
            deliveryWarnings.reject(ids, reason, at: clock.now())
        case .sensorsDisabled(let ids): report(.sensorsDisabled(ids))
        case .strangePlace: report(.strangePlace)
        }
    }

    /// Takes Home Assistant's configuration.
    func learned(_ facts: HomeAssistantFacts) {
        homeAssistantVersion = facts.version
        updateZoneFormat()
        report(.learned(facts))
    }

    private func sendCourierRequest(_ request: Request, _ endpoint: Endpoint) {
        guard let transport else { return }
        log.debug("asking \(request.name) by the \(endpoint.kind.title)")
        let isPosition = if case .location = request { true } else { false }
        if isPosition { commits?.handle(.handed(isTrusted: courier.isTrusted(at: clock.now()))) }
        transport.sendRequest(request, endpoint) { [weak self] answer in
            self?.commits?.handleDeliveryAnswer(answer, isOfPosition: isPosition)
            if case .failed(let problem) = answer {
                self?.log.debug("\(request.name) by the \(endpoint.kind.title): \(problem.text)")
            }
            if case .receipt = answer { self?.report(.receipt(self?.transport?.path)) }
            self?.handleCourierEvent(.answer(answer))
        }
    }

    /// Performs an operation of the courier. If the queue fails, the queue raises the warning,
    /// and the courier rests.
    private func performStoreEffect(_ effect: StoreEffect) {
        if case .settle(let ids, let fate) = effect { settled(ids, fate, clock.now()) }
        do throws(DatabaseError) {
            switch try passToQueue(effect) {
            case .read(let event): handleCourierEvent(try disclosed(event))
            case .moved(let count): if let text = effect.textOfMoved(count) { log.info(text) }
            case .done: break
            }
        } catch {
            handleCourierEvent(.storeFailed)
        }
    }

    /// Passes an operation to the queue, and answers the waiters of rows that the queue
    /// dropped.
    private func passToQueue(_ effect: StoreEffect) throws(DatabaseError) -> StoreResult {
        let result = try outbox.performStoreEffect(
            effect, queueTTL: queueTTL, rowsAtOnce: Self.rowsAtOnce, at: clock.now())
        if let fate = effect.fateOfDroppedRows { waiters.answerGone(as: fate) }
        return result
    }

    /// The answer of the queue, with what may be told of each row. Rows of which nothing may be told
    /// leave the queue.
    private func disclosed(_ event: Courier.Event) throws(DatabaseError) -> Courier.Event {
        let filter = DisclosureFilter(disclosure: disclosure, zones: ZoneMap(courier.zones))
        let (told, withheld) = filter.filter(event)
        guard !withheld.isEmpty else { return told }
        try outbox.settle(withheld, as: .expired)
        settled(withheld, .expired, clock.now())
        log.info(
            "dropped \(withheld.count) locations from the queue: [location] tell = \(disclosure.rawValue)"
        )
        return told
    }

    private func settled(_ ids: [EntryID], _ fate: Fate, _ now: Moment) {
        #if HOMING_FAILPOINTS
            Failpoint.provedNotSettled.reach()
        #endif
        // It is proved, whether or not the queue can note it.
        if fate == .deliveredLive || fate == .deliveredTrack { deliveredAt = now.unixTime }
        waiters.answer(ids, fate)
        report(.settled(ids, fate))
    }

    // MARK: Trouble

    /// Starts a look for the tracker while positions wait.
    private func considerTracker() {
        let isMissing = courier.trouble?.problems.values.contains(.trackerMissing) ?? false
        let presence: TrackerRepair.Presence =
            isMissing ? .missing : courier.hasSeenTracker ? .seen : .unknown
        performTrackerEffects(tracker.handle(.tracker(presence), at: clock.now()))
    }

    private func performTrackerEffects(_ effects: [TrackerRepair.Effect]) {
        for effect in effects {
            switch effect {
            case .ask(let question): report(.tracker(question))
            case .lookForTracker: handleCourierEvent(.flush)
            }
        }
    }

    /// Answers the waiters once every endpoint has failed, or where there is no endpoint.
    private func answerWaitersIfStuck() {
        let isStuck = courier.nextAttempt != nil || route?.endpoints.isEmpty ?? true
        guard isStuck, !tracker.isUnderWay, !waiters.isEmpty else { return }
        waiters.answerQueued()
    }
}
