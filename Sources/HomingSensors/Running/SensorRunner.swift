public import HomingRuntime

/// Result of a round of readings.
public struct SensorRound: Sendable {
    /// Readings for `SensorPolicy.consider`. A sensor that was there before and is no more is
    /// among them, as unavailable.
    public internal(set) var readings: [SensorReading] = []
    /// Notices for the journal.
    public internal(set) var notices: [SensorGuard.Notice] = []
}

/// Reads the sensors that are on, each when its time has come, and sees to it that none disturbs the
/// others.
public struct SensorRunner {
    private struct Entry {
        let type: any MachineSensor.Type
        var sensor: any MachineSensor
        /// Descriptions of the sensors whose readings were given last, by unique id.
        var given: [String: SensorDescription] = [:]

        /// Name by which people know the sensor: its first id.
        var name: String {
            "sensor \(type.descriptions.first?.uniqueID ?? String(describing: type))"
        }
    }

    private var entries: [Entry]
    private var guardian = SensorGuard()
    /// Choice of the sensors that are on. The rest are unavailable from the next tick on.
    public var choice: SensorChoice

    public init(
        _ sensors: [any MachineSensor.Type] = SensorCatalog.sensors,
        choice: SensorChoice = SensorChoice()
    ) {
        entries = sensors.map { Entry(type: $0, sensor: $0.init()) }
        self.choice = choice
    }

    /// Reads what is due on that occasion: on a tick everything.
    ///
    /// - Parameter clock: tells how long each reading takes.
    public mutating func read(
        _ occasion: SensorOccasion, _ machine: MachineView, clock: () -> Moment
    ) -> SensorRound {
        var round = SensorRound()
        for index in entries.indices
        where occasion == .tick || entries[index].type.occasion == occasion {
            let name = entries[index].name
            // `nil` if the sensor failed and may do better next time: its last readings stand.
            var readings: [SensorReading]? = []
            if entries[index].type.descriptions.contains(where: choice.mayBeOn),
                guardian.allows(name, at: machine.now)
            {
                let start = clock().uptime
                var outcome = SensorGuard.Outcome.succeeded
                do throws(SensorFailure) {
                    readings = try entries[index].sensor.read(machine)
                } catch {
                    (readings, outcome) = (nil, .failed(error.message))
                }
                let end = clock()
                let notice = guardian.note(name, outcome, took: end.uptime - start, at: end)
                if let notice { round.notices.append(notice) }
                if !guardian.allows(name, at: end) { readings = [] }
            }
            guard let readings = readings?.filter({ choice.isOn($0.sensor) }) else { continue }
            round.readings += replaceGiven(of: index, by: readings)
        }
        return round
    }

    /// Keeps one reading of each id, and adds the sensors that were there before and are no more.
    private mutating func replaceGiven(
        of index: Int, by readings: [SensorReading]
    ) -> [SensorReading] {
        var given: [String: SensorDescription] = [:]
        let kept = readings.filter { reading in
            // Names of two things may differ only in what no id can show: the first one has it.
            given.updateValue(reading.sensor, forKey: reading.sensor.uniqueID) == nil
        }
        let gone = entries[index].given.filter { given[$0.key] == nil }.map(\.value)
        entries[index].given = given
        return kept + gone.sorted { $0.uniqueID < $1.uniqueID }.map { .unavailable($0) }
    }
}
