internal import HomingMachine

/// Data that Homing itself has used this month.
struct DataUseSensor: MachineSensor {
    static let description = SensorDescription(
        "data_used", "Data used", deviceClass: "data_size", stateClass: .totalIncreasing,
        unit: "MB",
        isDiagnostic: true, icon: "mdi:sim", minChange: 0.1, lasts: true,
        summary:
            "Data that Homing has used this month, with IP and TCP headers; the attributes show each kind of network."
    )
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "the daemon itself"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let use = machine.state.dataUse else { return [] }
        var attributes: [String: SensorValue] = [:]
        for kind in DataUse.Kind.allCases where use.used(by: kind) > 0 {
            attributes[kind.rawValue] = Self.megabytes(use.used(by: kind))
        }
        attributes["metered"] = Self.megabytes(use.metered)
        return [SensorReading(Self.description, Self.megabytes(use.total), attributes: attributes)]
    }

    private static func megabytes(_ bytes: Int) -> SensorValue {
        .rounded(Double(bytes) / Double(Megabytes.bytes), 1)
    }
}
