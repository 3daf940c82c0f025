/// What Home Assistant is told of a sensor once, when it is registered (`register_sensor` of
/// mobile_app).
///
/// The words are Home Assistant's own: device classes and units of its `sensor` and `binary_sensor`
/// integrations, icons of Material Design.
public struct SensorDescription: Equatable, Sendable {
    public enum Kind: String, Sendable {
        case sensor
        /// Its state is a boolean.
        case binarySensor = "binary_sensor"
    }

    /// How the state behaves over time, for Home Assistant's statistics (`state_class`).
    public enum StateClass: String, Sendable {
        case measurement
        case total
        case totalIncreasing = "total_increasing"
    }

    /// How soon a change is told.
    public enum Urgency: Sendable {
        /// At once: somebody may have an automation waiting for it.
        case prompt
        /// With the next message that goes anyway, at the latest after `[sensors] interval`: it
        /// changes all the time.
        case patient
    }

    /// Stands for the sensor in messages, configuration and documentation; never changes.
    public var uniqueID: String
    /// For people; Home Assistant makes the entity's id of it.
    public var name: String
    public var kind: Kind
    public var deviceClass: String?
    public var stateClass: StateClass?
    public var unit: String?
    /// `entity_category: diagnostic`: about the machine's health rather than its use.
    public var isDiagnostic: Bool
    /// `mdi:…`
    public var icon: String
    public var urgency: Urgency
    /// A numeric change smaller than this is not told.
    public var minChange: Double
    /// Why the sensor is off unless `[sensors] enable` names it; `nil` if it is on.
    public var offBecause: String?
    /// What it says, for the documentation: a sentence.
    public var summary: String

    public init(
        _ uniqueID: String, _ name: String, kind: Kind = .sensor, deviceClass: String? = nil,
        stateClass: StateClass? = nil, unit: String? = nil, isDiagnostic: Bool = false,
        icon: String, urgency: Urgency = .patient, minChange: Double = 0,
        offBecause: String? = nil, summary: String
    ) {
        self.uniqueID = uniqueID
        self.name = name
        self.kind = kind
        self.deviceClass = deviceClass
        self.stateClass = stateClass
        self.unit = unit
        self.isDiagnostic = isDiagnostic
        self.icon = icon
        self.urgency = urgency
        self.minChange = minChange
        self.offBecause = offBecause
        self.summary = summary
    }

    /// The same kind of sensor for one of several things alike: a second battery, a disk.
    ///
    /// - Parameters:
    ///   - suffix: appended to the unique id; what is no letter, digit or `_` becomes `_`.
    ///   - name: the name of this one.
    public func one(_ suffix: String, named name: String) -> SensorDescription {
        var one = self
        let plain = suffix.lowercased().map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
        }
        one.uniqueID += "_" + String(plain)
        one.name = name
        return one
    }
}
