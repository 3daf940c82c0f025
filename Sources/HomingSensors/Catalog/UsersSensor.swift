internal import HomingMachine

/// How many people are logged in, at the machine and over the network.
struct UsersSensor: MachineSensor {
    static let description = SensorDescription(
        "logged_in_users", "Logged-in users", stateClass: .measurement, unit: "users",
        isDiagnostic: true, icon: "mdi:account-multiple", urgency: .prompt,
        offBecause: "it tells who uses the machine",
        summary: "Number of users with a session; their names are an attribute.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "logind: sessions"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let sessions = machine.state.sessions else { return [] }
        let users = Set(sessions.map(\.user)).sorted()
        let names = users.isEmpty ? [:] : ["users": SensorValue.text(users.joined(separator: ", "))]
        return [SensorReading(Self.description, .whole(users.count), attributes: names)]
    }
}
