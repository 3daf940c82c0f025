public import HomingDelivery

/// The sensors of a Home Assistant: registered one by one, updated together.
public struct SimulatedSensors {
    /// Content that each registered sensor shows.
    public private(set) var shown: [String: String] = [:]
    /// Rows that were taken, in order, repeats included.
    public private(set) var taken: [Int64] = []
    /// Switched off by somebody.
    public var disabled: Set<String> = []
    /// Sensors whose registration is answered, and does not take effect.
    public var forgets: Set<String> = []
    /// An item that is not as it should be.
    public var invalid: Set<String> = []
    /// Sensors of which Home Assistant says nothing.
    public var silent: Set<String> = []

    /// Sensors whose item voids the whole update: Home Assistant answers `{}`.
    public var voids: Set<String> = []

    /// Creates the sensors, of which no sensor is registered.
    public init() {}

    /// Registers the sensor of the row.
    public mutating func register(_ entry: OutboxEntry) {
        guard case .sensor(let sensor) = entry.message, !forgets.contains(sensor.uniqueID) else {
            return
        }
        // Newer versions show the state before the re-registration, older ones none.
        shown[sensor.uniqueID, default: "unknown"] += ""
    }

    /// `nil` if nothing of it was taken.
    public mutating func update(_ entries: [OutboxEntry]) -> [String: SensorVerdict]? {
        let ids = entries.compactMap { entry in
            if case .sensor(let sensor) = entry.message { sensor.uniqueID } else { nil }
        }
        guard voids.isDisjoint(with: ids) else { return nil }
        var verdicts: [String: SensorVerdict] = [:]
        for entry in entries {
            guard case .sensor(let sensor) = entry.message else { continue }
            let id = sensor.uniqueID
            if silent.contains(id) { continue }
            if shown[id] == nil {
                verdicts[id] = .notRegistered
            } else if invalid.contains(id) {
                verdicts[id] = .invalid("required key not provided")
            } else {
                taken.append(entry.id.number)
                verdicts[id] = disabled.contains(id) ? .disabled : .taken
                if !disabled.contains(id) { shown[id] = sensor.item }
            }
        }
        return verdicts
    }

    /// Whether Home Assistant has a reason to reject its states.
    public func isBad(_ id: String) -> Bool {
        forgets.contains(id) || voids.contains(id) || invalid.contains(id) || silent.contains(id)
    }

    /// After a new registration of the device nothing is known.
    public mutating func forgetAll() { shown = [:] }
}
