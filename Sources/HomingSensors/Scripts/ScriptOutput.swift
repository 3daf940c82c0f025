internal import HomingBase
internal import HomingJSON

/// Fault in the output of a script: the field, by its place in the JSON, and what is wrong with it.
struct ScriptFault: Error, Equatable {
    let message: String
    init(_ field: String, _ message: String) {
        self.message = "\(field) \(message)".bounded(Bound.reason)
    }
}

/// Standard output of a script, read and checked: see docs/sensors.md.
///
/// All of it is right, or nothing of it is taken.
struct ScriptOutput: Equatable {
    /// Beginning of the unique ids of all scripts' sensors.
    static let idPrefix = "script"

    /// The unique id that stands for all sensors of a script.
    static func family(of script: String) -> String {
        "\(idPrefix)_\(SensorDescription.slug(script))"
    }

    /// Bytes a script may write.
    static let limit = 64 * 1024

    private static let maxSensors = 50
    private static let intervals = 10...86_400
    private static let timeouts = 1...60

    var readings: [SensorReading] = []
    /// Seconds until its next run; `nil` if it does not say.
    var interval: Seconds?
    /// Seconds its next run may take; `nil` if it does not say.
    var timeout: Seconds?

    /// - Parameter script: its file's name, which becomes part of its sensors' unique ids.
    init(_ bytes: [UInt8], of script: String) throws(ScriptFault) {
        if bytes.isEmpty { throw ScriptFault("its output", "is empty") }
        let value: JSONValue
        do throws(JSONError) { value = try JSON.value(of: bytes, exactly: true) } catch {
            throw ScriptFault("its output", "\(error)")
        }
        guard case .object(let fields) = value else {
            throw ScriptFault("its output", "is not a JSON object")
        }
        let top = ScriptFields(fields, at: "")
        try top.allow(["interval", "timeout", "sensors"])
        interval = try top.whole("interval", Self.intervals).map { Seconds($0) }
        timeout = try top.whole("timeout", Self.timeouts).map { Seconds($0) }
        let sensors = try top.list("sensors")
        guard sensors.count <= Self.maxSensors else {
            throw ScriptFault("sensors", "has more than \(Self.maxSensors) entries")
        }
        var taken: Set<String> = []
        for (index, sensor) in sensors.enumerated() {
            let place = "sensors[\(index)]"
            guard case .object(let fields) = sensor else {
                throw ScriptFault(place, "is not a JSON object")
            }
            let reading = try ScriptFields(fields, at: "\(place).").reading(of: script)
            guard taken.insert(reading.sensor.uniqueID).inserted else {
                throw ScriptFault("\(place).unique_id", "was there before")
            }
            readings.append(reading)
        }
    }
}

extension ScriptFields {
    private static let known = [
        "attributes", "device_class", "entity_category", "icon", "name", "state", "state_class",
        "type", "unique_id", "unit_of_measurement",
    ]

    /// Returns a single sensor: its description and its state.
    fileprivate func reading(of script: String) throws(ScriptFault) -> SensorReading {
        try allow(Self.known)
        guard let state = try required("state").sensorValue else {
            throw fault("state", "is a list or an object")
        }
        let id = try requiredText("unique_id")
        guard SensorDescription.slug(id) == id, (1...64).contains(id.utf8.count) else {
            throw fault("unique_id", "is not 1 to 64 small letters, digits and single _")
        }
        let sensor = try description(script, try kind(of: state)).one(
            id, named: try requiredText("name"))
        if let problem = sensor.problem ?? sensor.problem(with: state) {
            throw fault(problem.field, problem.message)
        }
        return SensorReading(sensor, state, attributes: try attributes())
    }

    private func description(
        _ script: String, _ kind: SensorDescription.Kind
    ) throws(ScriptFault) -> SensorDescription {
        let category = try choice("entity_category", ["diagnostic"])
        let stateClass = try choice(
            "state_class", SensorDescription.StateClass.allCases.map(\.rawValue))
        let (deviceClass, unit) = (try text("device_class"), try text("unit_of_measurement"))
        // Numbers come and go all the time; a word or a switch that changes is news.
        let isNumber = unit != nil || stateClass != nil
        return SensorDescription(
            ScriptOutput.family(of: script), script, kind: kind,
            deviceClass: deviceClass,
            stateClass: stateClass.flatMap { SensorDescription.StateClass(rawValue: $0) },
            unit: unit, isDiagnostic: category != nil,
            icon: try text("icon") ?? "mdi:script-text-outline",
            urgency: isNumber ? .patient : .prompt, summary: "What the script \(script) says.")
    }

    private func kind(of state: SensorValue) throws(ScriptFault) -> SensorDescription.Kind {
        let kinds: [SensorDescription.Kind] = [.sensor, .binarySensor]
        if let word = try choice("type", kinds.map(\.rawValue)) {
            return SensorDescription.Kind(rawValue: word) ?? .sensor
        }
        if case .boolean = state { return .binarySensor }
        return .sensor
    }

    private func attributes() throws(ScriptFault) -> [String: SensorValue] {
        guard let value = self["attributes"] else { return [:] }
        guard case .object(let fields) = value else {
            throw fault("attributes", "is not an object")
        }
        var attributes: [String: SensorValue] = [:]
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard let value = value.sensorValue else {
                throw fault("attributes.\(name)", "is a list or an object")
            }
            attributes[name] = value
        }
        return attributes
    }
}
