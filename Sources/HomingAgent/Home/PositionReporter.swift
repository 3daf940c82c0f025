internal import HomingDelivery
internal import HomingLocation
internal import HomingMachine
internal import HomingRuntime

/// Chooses the positions that one Home Assistant is told, and puts them into its queue.
@LoopActor final class PositionReporter {
    private let delivery: Delivery
    private let clock: any Clockwork
    private let machine: Machine
    private let report: @LoopActor (Home.Event) -> Void
    private var policy: ReportPolicy
    /// The zone that a person sent last, unless another location was reported since.
    private(set) var sentZone: String?

    /// - Parameter hasReader: whether a Home Assistant is to get the locations.
    init(
        _ delivery: Delivery, settings: ReportPolicy.Settings, hasReader: Bool, machine: Machine,
        clock: any Clockwork, report: @escaping @LoopActor (Home.Event) -> Void
    ) {
        self.delivery = delivery
        self.clock = clock
        self.machine = machine
        self.report = report
        policy = ReportPolicy(settings: settings)
        policy.hasReader = hasReader
    }

    /// Fixes that were not reported, by reason.
    var skipped: [SkipReason: Int] { policy.skipped }
    /// The zones of Home Assistant.
    var zones: ZoneMap { policy.zones }

    func apply(_ settings: ReportPolicy.Settings) { policy.settings = settings }

    /// Sets whether a Home Assistant is to get the locations. The first location is then asked of the
    /// receiver.
    func setHasReader(_ hasReader: Bool) {
        guard policy.hasReader != hasReader else { return }
        policy.hasReader = hasReader
        if hasReader { requestFix() }
    }

    /// Home Assistant has these zones.
    func learn(_ zones: ZoneMap) { policy.zones = zones }

    /// A fix that the machine believes.
    ///
    /// - Parameter isReturn: whether a place was told since the last fix; then even a near fix is told.
    func consider(_ fix: Fix, isReturn: Bool) {
        if isReturn { policy.request() }
        switch policy.consider(fix, at: clock.now()) {
        case .report(let reason): put(fix, reason)
        case .skip(let reason):
            if ![.near, .sameZone, .undisclosed, .unregistered].contains(reason) {
                delivery.log.debug("location skipped: \(reason.rawValue)")
            }
        }
    }

    private func put(_ fix: Fix, _ reason: ReportPolicy.Reason) {
        if reason == .heartbeat { machine.want(.sensorsWithHeartbeat(policy.settings.heartbeat)) }
        guard let id = append(.fix(fix)) else { return policy.notStored() }
        delivery.log.debug("accepted \(id.number) (\(reason.rawValue))\(text(of: fix))")
        report(.reported(fix))
        delivery.assignWaiters(id)
        delivery.deliver(.location, urgent: reason.isUrgent)
    }

    /// Text of a location for the journal, where Home Assistant is told as much.
    private func text(of fix: Fix) -> String {
        guard policy.settings.disclosure == .exact else { return "" }
        return ": \(fix.coordinate.latitude),\(fix.coordinate.longitude) ±\(fix.accuracy) m"
    }

    private func append(_ place: LocationMessage.Place) -> EntryID? {
        guard policy.settings.disclosure != .never else { return nil }
        let message = LocationMessage(place: place, battery: machine.batteryPercentage)
        let id = delivery.append(.location(message))
        if id != nil { sentZone = nil }
        return id
    }

    /// Reports the next good fix, and asks the receiver for one.
    func requestFix() {
        guard policy.settings.disclosure != .never else { return }
        policy.request()
        machine.want(.position)
    }

    /// Reports a position that was looked up; `nil` if the queue cannot be written.
    func report(_ fix: Fix) -> EntryID? { queueFix(fix, as: "look-up") }

    /// Reports a known place; `nil` if the queue cannot be written.
    func report(_ place: Place.Target) -> EntryID? {
        switch place {
        case .zone(let name):
            queuePlace(.zone(name: name, time: clock.now().unixTime), as: "place")
        case .point(let centre, let accuracy):
            queueFix(
                Fix(
                    coordinate: centre, accuracy: accuracy, time: clock.now().unixTime,
                    mode: .twoDimensional, source: .place), as: "place")
        }
    }

    /// Tells a position that no receiver gave, which the track keeps too.
    private func queueFix(_ fix: Fix, as word: String) -> EntryID? {
        let id = queuePlace(.fix(fix), as: word)
        if id != nil { report(.reported(fix)) }
        return id
    }

    /// Tells a place at once; the journal calls it by the word.
    private func queuePlace(_ place: LocationMessage.Place, as word: String) -> EntryID? {
        guard let id = append(place) else { return nil }
        delivery.log.debug("accepted \(id.number) (\(word))")
        delivery.assignWaiters(id)
        delivery.deliver(.location, urgent: true)
        return id
    }

    /// Takes a zone into the queue in place of a fix; `nil` if the queue cannot be written.
    func appendZone(_ name: String) -> EntryID? {
        let id = append(.zone(name: name, time: clock.now().unixTime))
        if id != nil { sentZone = name }
        return id
    }

    /// The reports before this moment were for another Home Assistant.
    func forgetSentZone() { sentZone = nil }
}
