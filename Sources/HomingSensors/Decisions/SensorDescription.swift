/// Description of a sensor, which Home Assistant gets once, when the sensor is registered
/// (`register_sensor` of mobile_app).
///
/// The words are Home Assistant's own: device classes and units of its `sensor` and `binary_sensor`
/// integrations (`DeviceClass`), icons of Material Design.
public struct SensorDescription: Equatable, Sendable {
    public enum Kind: String, Sendable {
        case sensor
        /// Its state is a boolean.
        case binarySensor = "binary_sensor"
    }

    /// Behaviour of the state over time, for Home Assistant's statistics (`state_class`).
    public enum StateClass: String, CaseIterable, Sendable {
        case measurement
        case total
        case totalIncreasing = "total_increasing"
    }

    /// Speed with which a change is reported.
    public enum Urgency: Sendable {
        /// At once: somebody may have an automation waiting for it.
        case prompt
        /// With the position's heartbeat, or else every `[sensors] interval`: it changes all the
        /// time.
        case patient
    }

    /// Stands for the sensor in messages, configuration and documentation; never changes.
    public private(set) var uniqueID: String
    /// The unique id that stands for all of its kind; the sensor's own unless `one` made it.
    public let family: String
    /// Name for people; Home Assistant makes the entity's id of it.
    public private(set) var name: String
    public let kind: Kind
    public let deviceClass: String?
    public let stateClass: StateClass?
    public let unit: String?
    /// `entity_category: diagnostic`: about the machine's health rather than its use.
    public let isDiagnostic: Bool
    /// `mdi:…`
    public let icon: String
    public let urgency: Urgency
    /// A numeric change smaller than this is not told.
    public let minChange: Double
    /// Whether the state is still true while the machine sleeps or is off; if not, the sensor is
    /// told to be unavailable before.
    public let lasts: Bool
    /// Reason why the sensor is off unless `[sensors] enable` names it, in words that follow
    /// "because"; `nil` if the sensor is on.
    public let offBecause: String?
    /// Meaning of the state, for the documentation: a sentence.
    public let summary: String

    public init(
        _ uniqueID: String, _ name: String, kind: Kind = .sensor, deviceClass: String? = nil,
        stateClass: StateClass? = nil, unit: String? = nil, isDiagnostic: Bool = false,
        icon: String, urgency: Urgency = .patient, minChange: Double = 0, lasts: Bool = false,
        offBecause: String? = nil, summary: String
    ) {
        self.uniqueID = uniqueID
        family = uniqueID
        self.name = name
        self.kind = kind
        self.deviceClass = deviceClass
        self.stateClass = stateClass
        self.unit = unit
        self.isDiagnostic = isDiagnostic
        self.icon = icon
        self.urgency = urgency
        self.minChange = minChange
        self.lasts = lasts
        self.offBecause = offBecause
        self.summary = summary
    }

    /// The same kind of sensor for one of several things alike: a second battery, a disk.
    ///
    /// - Parameters:
    ///   - suffix: appended to the unique id, as a slug.
    ///   - name: the name of this one; by default that of its kind, and the suffix.
    public func one(_ suffix: String, named name: String? = nil) -> SensorDescription {
        var one = self
        one.uniqueID = "\(family)_\(Self.slug(suffix))"
        one.name = name ?? "\(one.name) \(suffix)"
        return one
    }

    /// The text as part of a unique id: letters and digits of ASCII in small, other letters by their
    /// Unicode number, and a `_` for whatever stands between.
    public static func slug(_ text: String) -> String {
        var slug = ""
        for scalar in text.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
            case _ where !scalar.isASCII: slug += "u" + String(scalar.value, radix: 16)
            case _ where slug.hasSuffix("_"): continue
            default: slug += "_"
            }
        }
        return slug
    }
}
