internal import HomingLocation

/// State of Homing itself.
struct HomingSensor: MachineSensor {
    static let version = SensorDescription(
        "app_version", "App version", isDiagnostic: true, icon: "mdi:information-outline",
        lasts: true, summary: "Homing's version.")
    static let queue = SensorDescription(
        "queue_length", "Queue length", stateClass: .measurement, unit: "messages",
        isDiagnostic: true, icon: "mdi:tray-full", minChange: 1,
        summary: "Messages in the queue, without those that wait for their receipt alone.")
    static let endpoint = SensorDescription(
        "way_home", "Endpoint", isDiagnostic: true, icon: "mdi:sign-direction",
        summary: "The endpoint in use: `instance URL`, `cloudhook` or `remote UI`.")
    static let delivery = SensorDescription(
        "last_delivery", "Last delivery", deviceClass: "timestamp", isDiagnostic: true,
        icon: "mdi:email-check", lasts: true,
        offBecause: "every message would cause another message",
        summary: "When Home Assistant last confirmed a delivery.")
    static let source = SensorDescription(
        "location_source", "Location source", deviceClass: "enum", isDiagnostic: true,
        icon: "mdi:map-marker-question", lasts: true,
        summary:
            "The source of the last reported location: `gpsd`, `place` (by the networks) or `geoclue`."
    )
    static let descriptions = [version, queue, endpoint, delivery, source]
    static let occasion = SensorOccasion.change
    static let reads = "the daemon itself"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let homing = machine.state.homing else { return [] }
        let delivery = homing.deliveredAt.map { SensorReading(Self.delivery, .timestamp($0)) }
        let source = homing.locationSource.map { SensorReading(Self.source, .text($0.name)) }
        return [
            SensorReading(Self.version, .text(homing.version)),
            SensorReading(Self.queue, .whole(homing.waiting)),
            SensorReading(Self.endpoint, .optional(homing.endpoint)),
        ] + [delivery, source].compactMap { $0 }
    }
}
