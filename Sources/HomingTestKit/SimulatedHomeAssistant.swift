public import HomingBase
public import HomingDelivery
public import HomingLocation
internal import HomingRoutes

/// A Home Assistant as the contract describes it, reduced to what delivery can notice.
public struct SimulatedHomeAssistant {
    public enum Condition: CaseIterable {
        case running
        case down
        /// The port answers, the webhook is not there yet: 200 with 0 bytes.
        case starting
        /// The webhook is there, the tracker is not: positions are lost, nobody says so.
        case trackerNotLoaded
        /// Somebody disabled our tracker: positions are lost, the rest works.
        case trackerDisabled
        /// Restored from a backup: it cannot open what we seal.
        case wrongKey
    }

    /// A change is a restart: connections break.
    public var condition = Condition.running {
        didSet {
            restarts += 1
            losing = 0
            hasFreshEntities = true
        }
    }
    public private(set) var restarts = 0
    /// Seconds since 1970.
    public var now: Seconds = 0 {
        didSet { now += clockStep }
    }
    private var requests = 0
    private var moment: Seconds { now + Double(requests) * 1e-5 }
    /// Seconds by which its clock was set.
    public var clockStep: Seconds = 0
    /// The last change of each of our entities other than the tracker, by entity id.
    private var changes: [String: Seconds] = Dictionary(
        uniqueKeysWithValues: (1...5).map { ("sensor.van_\($0)", -Seconds($0)) })
    /// The entity id of our tracker, which people can change.
    public var tracker = "device_tracker.van"
    /// Location of another entity, by its entity id: a tracker that has got the id which ours had.
    public var stranger: (tracker: String, place: Coordinate)?
    /// Whether all of them are set up again by the next request.
    private var hasFreshEntities = false
    /// Positions that it still answers and loses, since its tracker is being set up again.
    private var losing = 0
    /// Positions that were lost so and have not been taken since.
    public private(set) var lost: Set<Int64> = []
    /// Time of the last receipt that arrived and shows the tracker: by Home Assistant's clock, and
    /// really.
    private var shownAt: (time: Seconds, uptime: Seconds)?
    /// The witness of that receipt.
    private var oldestWhenShown: Seconds?
    /// Positions lost since its clock dated a reload before that receipt; `nil` without such a reload.
    private var lostBeforeShown: Set<Int64>?
    /// Seconds by which a clock may be set unseen, as `ReloadWitness.tolerance`.
    private static let unseenStep: Seconds = 10
    /// Whether our device has an entity other than the tracker, by which a receipt tells of reloads.
    public var hasWitness = true
    /// Location that Home Assistant holds for our tracker; `placeName` is the name of a zone.
    public var place: Coordinate?
    /// Whether a zone is told in words that this version does not know.
    public var dropsZones = false
    public private(set) var placeName: String?
    /// Rows it really took, in order, repeats included.
    public var live: [Int64] = []
    public var track: [Int64] = []
    public var events: [Int64] = []
    public var sensors = SimulatedSensors()
    public var zones: [Zone] = []
    /// The cloud endpoints of its answers.
    public var cloudhookURL: String?
    public var remoteUIURL: String?
    /// Number of times that Home Assistant was asked to take a row, and did not.
    public var notTaken: [EntryID: Int] = [:]

    /// Creates a Home Assistant that runs and knows nothing yet.
    public init() {}

    /// Somebody reloads our registration: connections stay, and so many positions more are lost.
    public mutating func reload(losing positions: Int) {
        hasFreshEntities = true
        losing = positions
    }

    /// The entity that has stood longest, the tracker aside, changes by itself.
    public mutating func changeOldestEntity() {
        if let oldest { changes[oldest.key] = moment }
    }

    /// The entity that has stood longest is removed.
    public mutating func removeOldestEntity() {
        if let oldest { changes[oldest.key] = nil }
    }

    /// All others change.
    public mutating func changeYoungestEntities() {
        let oldest = oldest
        changes = changes.mapValues { _ in moment }
        if let oldest { changes[oldest.key] = oldest.value }
    }

    private var oldest: (key: String, value: Seconds)? {
        changes.min { ($0.value, $0.key) < ($1.value, $1.key) }
    }

    /// A receipt has arrived that shows the tracker.
    ///
    /// - Parameter uptime: seconds that have really passed.
    /// - Returns: positions lost in a reload that no receipt can show: its clock was set back before
    ///   the reload, and is right again in this receipt.
    public mutating func receiptArrived(_ receipt: Receipt, at uptime: Seconds) -> Set<Int64> {
        if receipt.isShort {
            // It shows no time. Where it shows that nothing was reloaded, it stands for a full one.
            if let before = shownAt, let witness = receipt.witness, witness == oldestWhenShown {
                shownAt = (before.time + uptime - before.uptime, uptime)
            }
            return []
        }
        oldestWhenShown = receipt.witness
        let before = shownAt
        let lost = lostBeforeShown ?? []
        shownAt = receipt.time.map { ($0, uptime) }
        lostBeforeShown = nil
        guard let before, let time = receipt.time,
            abs((time - before.time) - (uptime - before.uptime)) <= Self.unseenStep
        else { return [] }
        return lost
    }

    /// Notes that the program which asked for receipts has forgotten the receipts.
    public mutating func forgetReceipts() { (shownAt, lostBeforeShown) = (nil, nil) }

    /// Handles a request, and returns the answer.
    public mutating func answerRequest(_ request: Request, onNewConnection: Bool) -> Answer {
        passTime()
        if condition != .running, case .location(let entry) = request {
            notTaken[entry.id, default: 0] += 1
        }
        switch condition {
        case .down: return .failed(.network("refused"))
        case .starting: return request.expectation == .reply ? .failed(.unknownWebhook) : .empty
        case .wrongKey: return Self.emptyObject(request, onNewConnection)
        case .running, .trackerNotLoaded, .trackerDisabled: break
        }
        switch request {
        case .configuration:
            return .configuration(
                HomeAssistantFacts(
                    version: "2026.11.0", cloudhookURL: cloudhookURL, remoteUIURL: remoteUIURL,
                    trackerLoaded: condition != .trackerNotLoaded))
        case .zones: return .zones(zones)
        case .receipt:
            defer { losing = 0 }
            return .receipt(receipt, onNewConnection: onNewConnection)
        case .shortReceipt(let names):
            return .receipt(shortReceipt(names), onNewConnection: onNewConnection)
        case .location(let entry):
            if condition == .running { takePosition(entry) }
            return .taken(onNewConnection: onNewConnection)
        case .track(let entries):
            track += entries.map(\.id.number)
            lost.subtract(entries.map(\.id.number))
            return .taken(onNewConnection: onNewConnection)
        case .event(let entry):
            events.append(entry.id.number)
            return .taken(onNewConnection: onNewConnection)
        case .sensors(let entries):
            return sensors.update(entries).map { .sensors($0, onNewConnection: onNewConnection) }
                ?? .refused(status: 200)
        case .registerSensor(let entry):
            sensors.register(entry)
            return .sensorRegistered(onNewConnection: onNewConnection)
        }
    }

    /// Moves the clock, so that two requests never come at one moment.
    private mutating func passTime() {
        requests += 1
        if hasFreshEntities {
            changes = changes.mapValues { _ in moment }
            let isDatedBefore = shownAt.map { moment < $0.time - Self.unseenStep } ?? false
            lostBeforeShown = isDatedBefore ? lostBeforeShown ?? [] : nil
        }
        hasFreshEntities = false
    }

    private mutating func takePosition(_ entry: OutboxEntry) {
        guard case .location(let message) = entry.message else { return }
        guard losing == 0 else {
            losing -= 1
            lost.insert(entry.id.number)
            lostBeforeShown?.insert(entry.id.number)
            notTaken[entry.id, default: 0] += 1
            return
        }
        if dropsZones, case .zone = message.place {
            notTaken[entry.id, default: 0] += 1
            return
        }
        lost.remove(entry.id.number)
        switch message.place {
        case .fix(let fix): (place, placeName) = (fix.coordinate, nil)
        case .zone(let name, _): (place, placeName) = (nil, name)
        }
        live.append(entry.id.number)
    }

    /// Returns what `{}` comes to as the answer.
    public static func emptyObject(_ request: Request, _ onNewConnection: Bool) -> Answer {
        switch request.expectation {
        case .reply: .failed(.keyRefused)
        case .replyOrRefusal: .refused(status: 200)
        case .nothing: .taken(onNewConnection: onNewConnection)
        }
    }

    /// Measured: while the tracker is set up it is none of the integration's entities.
    private var receipt: Receipt {
        let lacksTracker = condition == .trackerDisabled || losing > 0
        guard !lacksTracker else {
            return Receipt(trackerExists: false, trackerState: nil, place: nil)
        }
        let witness = hasWitness ? oldest : nil
        return Receipt(
            trackerExists: true, trackerState: trackerState, place: place, witness: witness?.value,
            time: moment, names: TrackerNames(tracker: tracker, witness: witness?.key))
    }

    private var trackerState: String {
        condition == .running ? placeName ?? "not_home" : "unavailable"
    }

    /// An entity that is not there is unknown, and has changed at 0. While ours are set up again, the
    /// tracker is unavailable.
    private func shortReceipt(_ names: TrackerNames) -> Receipt {
        let witness = names.witness.map { hasWitness ? changes[$0] ?? 0 : 0 }
        if let stranger, names.tracker == stranger.tracker {
            return Receipt(
                trackerExists: true, trackerState: "home", place: stranger.place, witness: witness,
                isShort: true)
        }
        let isThere = names.tracker == tracker && condition != .trackerDisabled && losing == 0
        let isShown = isThere && condition == .running
        return Receipt(
            trackerExists: isShown && place != nil,
            trackerState: isThere ? trackerState : "unknown",
            place: isShown ? place : nil, witness: witness, isShort: true)
    }
}
