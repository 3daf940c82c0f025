internal import HomingMachine
internal import HomingRuntime

/// Signal of the access point: the kernel's level, and NetworkManager's percentage. The percentage
/// is there also for drivers that `/proc/net/wireless` does not know.
struct WiFiSignalSensor: MachineSensor {
    static let strength = SensorDescription(
        "wifi_signal_strength", "Wi-Fi signal strength", deviceClass: "signal_strength",
        stateClass: .measurement, unit: "dBm", isDiagnostic: true, icon: "mdi:wifi-strength-3",
        minChange: 3, summary: "Level at which the access point is received.")
    static let quality = SensorDescription(
        "wifi_signal_quality", "Wi-Fi signal quality", stateClass: .measurement, unit: "%",
        isDiagnostic: true, icon: "mdi:wifi-strength-3", minChange: 5,
        summary: "The level in percent, as NetworkManager calculates.")
    static let descriptions = [strength, quality]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/net/wireless`; NetworkManager: access point"

    private static let path = "/proc/net/wireless"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        var readings: [SensorReading] = []
        if let level = try level(machine.files) {
            readings.append(SensorReading(Self.strength, .rounded(level)))
        }
        if let wifi = machine.state.details?.wifi {
            readings.append(SensorReading(Self.quality, .whole(min(max(wifi.quality, 0), 100))))
        }
        return readings
    }

    /// The first interface's, in dBm. Two lines of headings stand above it:
    /// `wlan0: 0000   54.  -56.  -256        0      0 …` is status, link, level, noise, …
    private func level(_ files: HostFiles) throws(SensorFailure) -> Double? {
        guard let line = try files.networkTable(Self.path).first else { return nil }
        let fields = line.split(separator: " ")
        guard fields.count > 3, let level = decimal(fields[3]) else {
            throw SensorFailure(Self.path, holds: line)
        }
        return level
    }
}
