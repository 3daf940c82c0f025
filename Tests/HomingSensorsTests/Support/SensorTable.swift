@testable import HomingSensors

/// The table of docs/sensors.md.
enum SensorTable {
    static func markdown() -> String {
        let head = """
            | unique id | name | value | in Home Assistant | reported | reads |
            |---|---|---|---|---|---|

            """
        return head + rows(of: SensorCatalog.sensors).map { "\($0.text)\n" }.joined()
    }

    /// The row of each description.
    static func rows(of sensors: [any MachineSensor.Type]) -> [(uniqueID: String, text: String)] {
        sensors.flatMap { type in
            type.descriptions.map { (uniqueID: $0.uniqueID, text: row($0, reads: type.reads)) }
        }
    }

    private static func row(_ sensor: SensorDescription, reads: String) -> String {
        let off = sensor.offBecause.map { " **Off by default**, because \($0)." } ?? ""
        let kind = [
            sensor.kind == .binarySensor ? "binary" : nil, sensor.deviceClass, sensor.unit,
            sensor.isDiagnostic ? "diagnostic" : nil,
        ]
        let cells = [
            "`\(sensor.uniqueID)`", sensor.name, sensor.summary + off,
            kind.compactMap { $0 }.joined(separator: ", "),
            sensor.urgency == .prompt ? "at once" : "in time", reads,
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }
}
