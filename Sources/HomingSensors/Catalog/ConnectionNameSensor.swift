internal import HomingMachine

/// The connection that carries the traffic, by the name it has in NetworkManager.
struct ConnectionNameSensor: MachineSensor {
    static let description = SensorDescription(
        "connection_name", "Connection name", icon: "mdi:network-outline", urgency: .prompt,
        summary: "NetworkManager's name of the connection in use, or `No Connection`.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "NetworkManager: primary connection"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let details = machine.state.details else { return [] }
        return [SensorReading(Self.description, .text(details.connection ?? "No Connection"))]
    }
}
