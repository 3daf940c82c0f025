internal import HomingRuntime

/// Bytes through the machine's real network devices since it started. Bridges, tunnels and
/// containers' ends have no device, and would count the same bytes again.
struct NetworkTrafficSensor: MachineSensor {
    static let received = description("data_received", "Data received", "mdi:download-network")
    static let sent = description("data_sent", "Data sent", "mdi:upload-network")
    static let descriptions = [received, sent]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/net/dev`, `/sys/class/net/*/device`"

    private static let path = "/proc/net/dev"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        var bytes: (received: Double, sent: Double)?
        // `wlan0: 1234 …`, eight columns received and eight sent.
        for line in try machine.files.networkTable(Self.path) {
            let parts = line.split(separator: ":", maxSplits: 1)
            let columns = parts.last?.split(separator: " ") ?? []
            guard parts.count == 2, columns.count >= 9, let received = decimal(columns[0]),
                let sent = decimal(columns[8])
            else { throw SensorFailure(Self.path, holds: line) }
            let name = parts[0].drop { $0 == " " }
            guard machine.files.exists("/sys/class/net/\(name)/device") else { continue }
            bytes = ((bytes?.received ?? 0) + received, (bytes?.sent ?? 0) + sent)
        }
        guard let bytes else { return [] }
        return [
            SensorReading(Self.received, .rounded(bytes.received / 1e9, 3)),
            SensorReading(Self.sent, .rounded(bytes.sent / 1e9, 3)),
        ]
    }

    private static func description(
        _ uniqueID: String, _ name: String, _ icon: String
    ) -> SensorDescription {
        SensorDescription(
            uniqueID, name, deviceClass: "data_size", stateClass: .totalIncreasing, unit: "GB",
            isDiagnostic: true, icon: icon, minChange: 0.001,
            summary: "\(name) by all network devices since the machine started.")
    }
}
