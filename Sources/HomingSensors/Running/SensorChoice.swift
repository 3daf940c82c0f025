/// Choice of the sensors that are on: `[sensors] enable` and `disable`.
///
/// A unique id in `enable` or `disable` decides; else that of its family (`disk_usage` for
/// `disk_usage_home`); else the word `script` for those of scripts; else the word `all`; else what the
/// sensor says of itself. Where both lists have the same word, `disable` wins: it is there for
/// privacy.
public struct SensorChoice: Equatable, Sendable {
    /// Stands for every sensor in either list.
    public static let all = "all"
    /// Stands for every sensor of a script in either list.
    public static let script = ScriptOutput.idPrefix

    /// The two lists of one home.
    private struct Lists: Equatable, Sendable {
        let enabled: Set<String>
        let disabled: Set<String>

        /// Returns whether the lists have a sensor on; `nil` if they say nothing of it.
        func isOn(_ uniqueID: String, of family: String) -> Bool? {
            let group = family.hasPrefix("\(script)_") ? [script] : []
            for word in [uniqueID, family] + group + [all] {
                if disabled.contains(word) { return false }
                if enabled.contains(word) { return true }
            }
            return nil
        }

        /// Whether `enable` names one of this family.
        func enablesOne(of family: String) -> Bool {
            enabled.contains { $0.hasPrefix("\(family)_") }
        }
    }

    /// A sensor is on if it is by any of them.
    private let lists: [Lists]

    public init(enable: [String] = [], disable: [String] = []) {
        lists = [Lists(enabled: Set(enable), disabled: Set(disable))]
    }

    /// Creates the choice of all sensors that are on by any of these; without choices, of none.
    public init(any choices: [SensorChoice]) { lists = choices.flatMap(\.lists) }

    /// Whether no sensor can be on.
    public var isEmpty: Bool { lists.isEmpty }

    /// Whether a sensor is on.
    public func isOn(_ sensor: SensorDescription) -> Bool {
        lists.contains {
            $0.isOn(sensor.uniqueID, of: sensor.family) ?? (sensor.offBecause == nil)
        }
    }

    /// Whether any of a family may be on, so that it is worth reading.
    func mayBeOn(_ family: SensorDescription) -> Bool {
        isOn(family) || lists.contains { $0.enablesOne(of: family.uniqueID) }
    }

    /// Whether any sensor of that script may be on, so that it is worth running.
    func mayBeOn(script: String) -> Bool {
        let family = ScriptOutput.family(of: script)
        return lists.contains { $0.isOn(family, of: family) != false || $0.enablesOne(of: family) }
    }

    /// The words in either list that stand for no sensor, neither of the catalogue nor of a script.
    public var unknown: [String] {
        let families = SensorCatalog.descriptions.map(\.uniqueID) + [Self.script]
        let words = lists.reduce(Set<String>()) { $0.union($1.enabled).union($1.disabled) }
        return words.subtracting(families).filter { word in
            word != Self.all && !families.contains { word.hasPrefix("\($0)_") }
        }.sorted()
    }
}
