/// Which sensors are on: `[sensors] enable` and `disable`.
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

    private let enabled: Set<String>
    private let disabled: Set<String>

    public init(enable: [String] = [], disable: [String] = []) {
        enabled = Set(enable)
        disabled = Set(disable)
    }

    /// Whether a sensor is on.
    public func isOn(_ sensor: SensorDescription) -> Bool {
        isOn(sensor.uniqueID, of: sensor.family) ?? (sensor.offBecause == nil)
    }

    /// What the lists say of it; `nil` if they say nothing.
    private func isOn(_ uniqueID: String, of family: String) -> Bool? {
        let group = family.hasPrefix("\(Self.script)_") ? [Self.script] : []
        for word in [uniqueID, family] + group + [Self.all] {
            if disabled.contains(word) { return false }
            if enabled.contains(word) { return true }
        }
        return nil
    }

    /// Whether any of a family may be on, so that it is worth reading.
    func mayBeOn(_ family: SensorDescription) -> Bool {
        isOn(family) || enabled.contains { $0.hasPrefix("\(family.uniqueID)_") }
    }

    /// Whether any sensor of that script may be on, so that it is worth running.
    func mayBeOn(script: String) -> Bool {
        let family = ScriptOutput.family(of: script)
        return isOn(family, of: family) != false
            || enabled.contains { $0.hasPrefix("\(family)_") }
    }

    /// The words in either list that stand for no sensor, neither of the catalogue nor of a script.
    public var unknown: [String] {
        let families = SensorCatalog.descriptions.map(\.uniqueID) + [Self.script]
        return enabled.union(disabled).subtracting(families).filter { word in
            word != Self.all && !families.contains { word.hasPrefix("\($0)_") }
        }.sorted()
    }
}
