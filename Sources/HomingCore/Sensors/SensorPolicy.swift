/// Decides which readings Home Assistant is told, and when.
///
/// What was told is remembered, and only what differs from it is told again. A prompt sensor's
/// change goes at once, but not more often than every `minSpacing` seconds; a patient one's waits
/// for `collect`, which the agent asks for when a message goes anyway, or when `interval` is over.
public struct SensorPolicy: Sendable {
    /// Seconds between two prompt changes of the same sensor.
    static let minSpacing: Seconds = 10

    private struct Known: Sendable {
        var told: SensorReading?
        var toldAt: Seconds = -.infinity
        var waiting: SensorReading?
    }

    private var sensors: [String: Known] = [:]
    /// Unique ids that somebody has disabled in Home Assistant.
    public private(set) var disabled: Set<String> = []

    public init() {}

    /// Sensors in use, with what they say now.
    public var readings: [SensorReading] {
        sensors.values.compactMap { $0.waiting ?? $0.told }
            .sorted { $0.sensor.uniqueID < $1.sensor.uniqueID }
    }

    /// What a sensor of that id is, as far as it was heard of.
    public func description(of uniqueID: String) -> SensorDescription? {
        sensors[uniqueID].flatMap { $0.waiting ?? $0.told }?.sensor
    }

    /// Takes readings, and gives those that are to be told at once.
    public mutating func consider(_ readings: [SensorReading], at now: Moment) -> [SensorReading] {
        for reading in readings {
            var known = sensors[reading.sensor.uniqueID] ?? Known()
            let isNews = known.told.map { reading.differs(from: $0) } ?? true
            known.waiting = isNews ? reading : nil
            sensors[reading.sensor.uniqueID] = known
        }
        return take(at: now) { $0.sensor.urgency == .prompt }
    }

    /// Gives everything that waits: a message goes anyway, or it has waited long enough.
    public mutating func collect(at now: Moment) -> [SensorReading] { take(at: now) { _ in true } }

    private mutating func take(
        at now: Moment, where isDue: (SensorReading) -> Bool
    ) -> [SensorReading] {
        var due: [SensorReading] = []
        for (id, known) in sensors where !disabled.contains(id) {
            guard let reading = known.waiting, isDue(reading),
                now.uptime - known.toldAt >= Self.minSpacing
            else { continue }
            sensors[id] = Known(told: reading, toldAt: now.uptime)
            due.append(reading)
        }
        return due.sorted { $0.sensor.uniqueID < $1.sensor.uniqueID }
    }

    /// Uptime at which a prompt change that came too soon after the last may be told.
    public var nextPrompt: Seconds? {
        sensors.filter { id, known in
            known.waiting?.sensor.urgency == .prompt && !disabled.contains(id)
        }.map { $0.value.toldAt + Self.minSpacing }.min()
    }

    /// What was taken could not be stored: it is news still.
    public mutating func notStored(_ readings: [SensorReading]) {
        for reading in readings {
            sensors[reading.sensor.uniqueID] = Known(waiting: reading)
        }
    }

    /// Home Assistant says which sensors are disabled; one that is enabled again is told anew.
    public mutating func setDisabled(_ ids: Set<String>) {
        for id in disabled.subtracting(ids) { forgetTold(id) }
        disabled = ids
    }

    /// Home Assistant answered an update with `is_disabled`.
    public mutating func noteDisabled(_ id: String) { disabled.insert(id) }

    /// After a new registration Home Assistant knows nothing: everything is told again.
    public mutating func forgetAllTold() {
        for id in sensors.keys { forgetTold(id) }
        disabled = []
    }

    private mutating func forgetTold(_ id: String) {
        guard let known = sensors[id] else { return }
        sensors[id] = Known(waiting: known.waiting ?? known.told)
    }

    /// All sensors in use as unavailable: the machine goes to sleep, or the daemon ends.
    public mutating func unavailable(at now: Moment) -> [SensorReading] {
        let leaving = sensors.filter { !disabled.contains($0.key) }.compactMap { $0.value.told }
        for reading in leaving { forgetTold(reading.sensor.uniqueID) }
        return leaving.map { SensorReading($0.sensor, .unavailable) }
            .sorted { $0.sensor.uniqueID < $1.sensor.uniqueID }
    }
}
