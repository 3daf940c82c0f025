public import HomingBase

/// Decides which readings Home Assistant is told, and when.
///
/// What was told is remembered, and only what differs from it is told again. A prompt sensor's change
/// of state goes at once, but not more often than every `promptSpacing` seconds. A patient one's, and
/// a change of attributes alone, waits for `collect`, which the agent asks for with the position's
/// heartbeat, or else when `[sensors] interval` is over; it is told at most every `patientSpacing`
/// seconds.
///
/// While data is saved nothing is told but with `pause` seconds between, and then everything that
/// waits; of a diagnostic sensor, with four times as long between. The first state of a sensor does not
/// wait. While `isHeld`, nothing at all.
///
/// Nothing is remembered over a restart: then everything is told once.
public struct SensorPolicy: Sendable {
    /// Seconds between two prompt changes of the same sensor.
    static let promptSpacing: Seconds = 10
    /// Seconds between two patient changes of the same sensor: the shortest interval, less what a tick
    /// may come early. A change that just misses its tick would wait for two.
    static let patientSpacing: Seconds = 59.5

    /// Factor by which the pause of a diagnostic sensor is longer.
    static let diagnosticPause = 4.0

    /// Seconds after which what was told has arrived, where Home Assistant is reached at all; and the
    /// same while data is saved, as it waits for company then.
    static let delivery: (usual: Seconds, saving: Seconds) = (60, 3660)

    private struct Known: Sendable {
        var latest: SensorReading
        /// Whether `latest` was read since the machine was last awake.
        var isFresh = true
        /// Reading that Home Assistant holds, or will hold when the queue is empty; `nil` if there
        /// is no such reading, or if that is not known.
        var told: SensorReading?
        var toldAt: Seconds = -.infinity
        /// Whether Home Assistant may hold something, though we do not know what.
        var isHeld = false

        var isNews: Bool {
            guard isFresh else { return false }
            // Of a thing that is gone, Home Assistant need not hear for the first time.
            guard let told else { return isHeld || latest.state != .unavailable }
            return latest.differs(from: told)
        }

        var isUrgentNews: Bool {
            isNews && latest.sensor.urgency == .prompt
                && (told.map { latest.stateDiffers(from: $0) } ?? true)
        }

        /// Whether Home Assistant has no state of it that is of use: no pause holds it back.
        var isUnknownThere: Bool { told.map { $0.state == .unavailable } ?? true }

        /// Uptime before which it is too soon to tell it again.
        ///
        /// - Parameter pause: seconds between two times at which anything is told.
        func dueAt(_ pause: Seconds) -> Seconds {
            let spacing = isUrgentNews ? promptSpacing : patientSpacing
            let longer = latest.sensor.isDiagnostic && !isUnknownThere ? diagnosticPause : 0
            return toldAt + max(spacing, pause * longer)
        }

        mutating func forgetTold(isHeld: Bool) {
            told = nil
            toldAt = -.infinity
            self.isHeld = isHeld
        }
    }

    private var sensors: [String: Known] = [:]
    private var isAway = false
    /// Seconds between two times at which states are told; 0: no such pause.
    public var pause: Seconds = 0
    /// Whether nothing is told for the time being but what Home Assistant has no state of.
    public var isSilenced = false
    /// Uptime at which anything was told last.
    private var toldAt = -Seconds.infinity
    /// Unique ids that somebody has disabled in Home Assistant.
    public private(set) var disabled: Set<String> = []

    public init() {}

    /// Sensors in use, with what they say now; what is gone is not among them.
    public var readings: [SensorReading] {
        sensors.values.map(\.latest).filter { $0.state != .unavailable }.sorted(by: inOrder)
    }

    /// Whether the sensor was ever read for this home.
    public func knows(_ uniqueID: String) -> Bool { sensors[uniqueID] != nil }

    /// Takes readings, and gives those that are to be told at once.
    public mutating func consider(_ readings: [SensorReading], at now: Moment) -> [SensorReading] {
        for reading in readings {
            let id = reading.sensor.uniqueID
            sensors[id, default: Known(latest: reading)].latest = reading
            sensors[id]?.isFresh = true
        }
        let takesAll = pause > 0
        return takeDueReadings(at: now) { takesAll ? $0.isNews : $0.isUrgentNews }
    }

    /// Gives everything that waits and may be told again: a heartbeat goes anyway, or it has waited
    /// long enough.
    public mutating func collect(at now: Moment) -> [SensorReading] {
        takeDueReadings(at: now) { $0.isNews }
    }

    private mutating func takeDueReadings(
        at now: Moment, where isWanted: (Known) -> Bool
    ) -> [SensorReading] {
        guard !isAway else { return [] }
        let isPause = isSilenced || now.uptime < toldAt + pause
        var due: [SensorReading] = []
        for (id, known) in sensors where !disabled.contains(id) {
            guard isWanted(known), now.uptime >= known.dueAt(pause),
                !isPause || known.isUnknownThere
            else { continue }
            sensors[id]?.told = known.latest
            sensors[id]?.toldAt = now.uptime
            due.append(known.latest)
        }
        if !isPause, !due.isEmpty { toldAt = now.uptime }
        return due.sorted(by: inOrder)
    }

    /// Uptime at which a prompt change that came too soon after the last may be told, or everything
    /// that waits for the end of a pause; `nil` if nothing waits.
    public var nextPrompt: Seconds? {
        guard !isAway else { return nil }
        let waiting = sensors.filter { id, known in
            (pause > 0 ? known.isNews : known.isUrgentNews) && !disabled.contains(id)
                && (!isSilenced || known.isUnknownThere)
        }
        return waiting.map { _, known in
            known.isUnknownThere ? known.dueAt(pause) : max(known.dueAt(pause), toldAt + pause)
        }.min()
    }

    /// Notes that readings which were taken could not be stored: the readings are news still.
    public mutating func notStored(_ readings: [SensorReading]) {
        for reading in readings { sensors[reading.sensor.uniqueID]?.forgetTold(isHeld: true) }
    }

    /// Home Assistant says which sensors are disabled; one that is enabled again is told again.
    ///
    /// - Returns: those that are enabled again.
    @discardableResult public mutating func setDisabled(_ ids: Set<String>) -> Set<String> {
        let enabled = disabled.subtracting(ids)
        reportAgain(enabled)
        disabled = ids
        return enabled
    }

    /// Home Assistant may have lost what it was told of these.
    public mutating func reportAgain(_ ids: Set<String>) {
        for id in ids { sensors[id]?.forgetTold(isHeld: true) }
    }

    /// Home Assistant says which sensors it holds. One that it was told of a while ago and does not
    /// hold was deleted there: it is told again, though its state is the same.
    ///
    /// - Returns: those that were deleted.
    @discardableResult public mutating func setKnown(
        _ ids: Set<String>, at now: Moment
    ) -> Set<String> {
        // What was told in a quiet hour may wait for its end.
        guard !isSilenced else { return [] }
        let delivery = pause > 0 ? Self.delivery.saving : Self.delivery.usual
        let told = sensors.filter { _, known in
            known.told != nil && now.uptime - known.toldAt > delivery
        }
        let deleted = Set(told.keys).subtracting(ids)
        reportAgain(deleted)
        return deleted
    }

    /// Home Assistant answered an update with `is_disabled`.
    public mutating func noteDisabled(_ id: String) { disabled.insert(id) }

    /// After a new registration Home Assistant knows nothing: everything is told again.
    public mutating func forgetAllTold() {
        for id in sensors.keys { sensors[id]?.forgetTold(isHeld: false) }
        disabled = []
    }

    /// The machine goes to sleep, or the daemon ends: gives the sensors whose states would grow stale
    /// as unavailable. Nothing is told until `resume()`, and then only what was read after this.
    public mutating func unavailable(at now: Moment) -> [SensorReading] {
        isAway = true
        var leaving: [SensorReading] = []
        for (id, known) in sensors where !known.latest.sensor.lasts {
            sensors[id]?.isFresh = false
            let isShown = known.told.map { $0.state != .unavailable } ?? known.isHeld
            guard isShown, !disabled.contains(id) else { continue }
            let gone = SensorReading.unavailable(known.latest.sensor)
            sensors[id]?.told = gone
            sensors[id]?.toldAt = -.infinity
            leaving.append(gone)
        }
        return leaving.sorted(by: inOrder)
    }

    /// The machine is awake again: what is read from now on is told.
    public mutating func resume() { isAway = false }
}

private func inOrder(_ one: SensorReading, _ other: SensorReading) -> Bool {
    one.sensor.uniqueID < other.sensor.uniqueID
}
