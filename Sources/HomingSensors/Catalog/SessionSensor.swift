internal import HomingMachine

/// Users who are logged in, and whether somebody sits at the machine, by what logind is told.
struct SessionSensor: MachineSensor {
    static let active = SensorDescription(
        "active", "Active", kind: .binarySensor, icon: "mdi:monitor", urgency: .prompt,
        summary: "Whether somebody uses the machine: logged in, not locked, not idle.")
    static let users = SensorDescription(
        "logged_in_users", "Logged-in users", stateClass: .measurement, unit: "users",
        isDiagnostic: true, icon: "mdi:account-multiple", urgency: .prompt,
        offBecause: "it shows who uses the machine",
        summary: "Number of users with a session; their names are an attribute.")
    static let locked = SensorDescription(
        "screen_locked", "Screen locked", kind: .binarySensor, icon: "mdi:monitor-lock",
        urgency: .prompt, summary: "Whether the desktop in front is locked.")
    static let idle = SensorDescription(
        "idle", "Idle", kind: .binarySensor, icon: "mdi:sleep", urgency: .prompt,
        summary: "Whether the desktop in front is unused for a while.")
    static let descriptions = [active, users, locked, idle]
    static let occasion = SensorOccasion.change
    static let reads = "logind: sessions"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let sessions = machine.state.sessions else { return [] }
        let isActive = sessions.contains { $0.isLocal && $0.isActive && !$0.isLocked && !$0.isIdle }
        let users = Set(sessions.map(\.user)).sorted()
        let names = users.isEmpty ? [:] : ["users": SensorValue.text(users.joined(separator: ", "))]
        return [
            SensorReading(
                Self.active, .boolean(isActive), icon: isActive ? nil : "mdi:monitor-off"),
            SensorReading(Self.users, .whole(users.count), attributes: names),
        ] + screen(sessions.filter { $0.isLocal && $0.isGraphical })
    }

    private func screen(_ desktops: [UserSession]) -> [SensorReading] {
        guard !desktops.isEmpty else { return [] }
        let front = desktops.first { $0.isActive }
        // Where another console is in front, nobody is at a desktop.
        return [
            SensorReading(Self.locked, .boolean(front?.isLocked ?? true)),
            SensorReading(Self.idle, .boolean(front?.isIdle ?? true)),
        ]
    }
}
