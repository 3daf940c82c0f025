internal import HomingBase
internal import HomingRoutes

/// Rows that were sent in one request and are not confirmed yet.
struct SentItem: Sendable {
    let entries: [OutboxEntry]
    let fate: Fate

    var isSensors: Bool { entries.first?.id.stream == .sensors }

    /// The position Home Assistant must hold after this one, if it is a live position.
    var location: LocationMessage? {
        guard fate == .deliveredLive, case .location(let message)? = entries.last?.message else {
            return nil
        }
        return message
    }
}

/// Items that were sent and are not confirmed yet, in order. The type counts what each step asks.
/// So a step costs the same however much waits for a receipt.
struct SentItems: Sendable {
    private(set) var items: [SentItem] = []
    /// Number of items that are locations reported for the map.
    private(set) var positions = 0
    /// Their rows in the queue.
    private(set) var rows = RowCounts()
    /// Whether any of them is history.
    private(set) var holdsHistory = false
    /// Seconds since 1970 at which the oldest position among them was accepted.
    private(set) var oldestPosition: Seconds = .infinity

    var isEmpty: Bool { items.isEmpty }
    var last: SentItem? { items.last }
    /// Number of items that are something else than locations reported for the map.
    var others: Int { items.count - positions }

    mutating func append(_ item: SentItem) {
        items.append(item)
        if let stream = item.entries.first?.id.stream { rows[stream] += item.entries.count }
        holdsHistory = holdsHistory || item.fate == .deliveredTrack
        guard item.location != nil else { return }
        positions += 1
        oldestPosition = min(oldestPosition, item.entries.last?.acceptedAt ?? .infinity)
    }

    /// Returns the items without the newest.
    func dropLast() -> SentItems {
        var rest = SentItems()
        for item in items.dropLast() { rest.append(item) }
        return rest
    }
}

/// The row that Home Assistant's map shows.
struct ShownRow: Sendable {
    /// Row that was sent; `nil` if the map shows no row that was sent.
    var row: EntryID?
    /// Whether no other that was sent has the same place.
    var isCertain: Bool
}

/// Reason why a receipt was requested.
enum ReceiptPurpose: Sendable {
    /// Question: what does Home Assistant hold of the reports that may have been sent before?
    case opening
    /// Confirmation that closes what was sent.
    case closing
    /// Question: what does the tracker show before the next location? (`wantsLook`)
    case looking
    /// This item was answered as if it could not be taken.
    case suspicion(SentItem, status: Int?)
}

/// Result that the courier waits for; at most one at a time.
enum Awaiting: Sendable {
    case configuration
    case zones
    case receipt(ReceiptPurpose)
    /// Receipt that closes what was sent, if the receipt confirms everything.
    case shortReceipt(TrackerNames)
    case item(SentItem)
    case registration(OutboxEntry)
    case recall
    case rows
}

/// The work on one endpoint, from the first request to a failure or a change of network.
struct CourierSession: Sendable {
    let endpoint: Endpoint
    /// Accepted there and not proved yet, in order.
    var sent = SentItems()
    /// Loaded and not sent yet.
    var rows = OutboxRows()
    /// Whether the outbox may hold rows that were not loaded.
    var mayHaveMore = true
    var liveAfter: Int64 = 0
    var eventsAfter: Int64 = 0
    var sensorsAfter: Int64 = 0
    var trackLimit = CourierSession.maxTrackFixes
    var sensorLimit = CourierSession.maxSensors
    /// Sensors that Home Assistant does not know yet, and those it has just been told of, whose
    /// states follow: some versions show an older one after a registration.
    var unregistered: [OutboxEntry] = []
    var registered: [OutboxEntry] = []
    /// Unique ids of all that were registered in this session.
    var registeredIDs: Set<String> = []
    /// Uptime of the last receipt for something sent here; the first thing sent gets one at once.
    var lastReceipt: Seconds?
    /// Receipt from the opening of the session, until the receipt is compared with the rows.
    var held: Receipt?
    /// Row that `held` shows, where that row is known by what was sent in this session.
    var shown: ShownRow?
    /// Form of short receipts; `nil` before the first full one.
    var shortForm: ShortForm?
    /// Whether rows go one at a time, each with a receipt: some row was not taken.
    var careful = false
    /// The connection may be a new one: behind it may be another server, or a Home Assistant that
    /// is starting and loses what it takes. So one item is proved before more are sent.
    var mustProve = true
    /// Home Assistant said that it has no tracker for us: positions wait, all else goes on.
    var lacksTracker = false
    /// Whether any position waits for that.
    var liveWaits = false
    /// Whether it gave a proof.
    var hasProved = false

    /// Positions in one `homing_track` event.
    static let maxTrackFixes = 200
    /// Bytes that the rows of one event may take, as `trackSize` reckons them: Home Assistant's
    /// recorder drops the data of an event above 32 kB.
    static let maxTrackSize = 31_000

    /// Sensors in one `update_sensor_states`; the reply has some 100 bytes of each.
    static let maxSensors = 100

    /// Takes the next item out of the loaded rows: news first, then events, sensors, history.
    mutating func nextItem() -> SentItem? {
        if !rows.live.isEmpty, !lacksTracker {
            return SentItem(entries: [rows.live.removeFirst()], fate: .deliveredLive)
        }
        if !rows.events.isEmpty {
            return SentItem(entries: [rows.events.removeFirst()], fate: .deliveredLive)
        }
        if !rows.sensors.isEmpty {
            let batch = Array(rows.sensors.prefix(sensorLimit))
            rows.sensors.removeFirst(batch.count)
            return SentItem(entries: batch, fate: .deliveredLive)
        }
        guard !rows.track.isEmpty else { return nil }
        defer { rows.track.removeAll() }
        return SentItem(entries: trackRows(), fate: .deliveredTrack)
    }

    /// The oldest history that fits into one event; at least one row.
    private mutating func trackRows() -> [OutboxEntry] {
        var size = 0
        let fitting = rows.track.prefix(trackLimit).prefix { entry in
            size += entry.trackSize
            return size <= Self.maxTrackSize
        }
        if fitting.count < rows.track.count { mayHaveMore = true }
        return Array(rows.track.prefix(max(1, fitting.count)))
    }

    /// The question for the next rows.
    var load: StoreEffect {
        .load(
            liveAfter: lacksTracker ? nil : liveAfter, eventsAfter: eventsAfter,
            sensorsAfter: sensorsAfter, trackLimit: trackLimit)
    }

    /// Takes the rows that the question found.
    mutating func replaceRows(with rows: OutboxRows) {
        self.rows = rows
        liveWaits = rows.liveWaits
        if rows.mayBeMore { mayHaveMore = true }
        if let last = rows.live.last { liveAfter = last.id.number }
        if let last = rows.events.last { eventsAfter = last.id.number }
        if let last = rows.sensors.last { sensorsAfter = last.id.number }
    }

    /// Starts over with what is in the outbox: everything unproved is sent again.
    mutating func reload() {
        sent = SentItems()
        rows = OutboxRows()
        liveAfter = 0
        eventsAfter = 0
        sensorsAfter = 0
        unregistered = []
        registered = []
        mayHaveMore = true
    }
}

extension OutboxEntry {
    /// Bytes of its row in a `homing_track` event, at the most.
    var trackSize: Int {
        guard case .location(let message) = message, case .zone(let name, _) = message.place else {
            return 150
        }
        // JSON escapes a quote with one more byte and a control character with five.
        return 100 + name.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5c ? 2 : 1) }
    }
}
