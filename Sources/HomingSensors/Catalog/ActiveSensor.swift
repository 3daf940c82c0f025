internal import HomingMachine

/// Whether somebody sits at the machine: a session in front that is neither locked nor idle.
struct ActiveSensor: MachineSensor {
    static let description = SensorDescription(
        "active", "Active", kind: .binarySensor, icon: "mdi:monitor", urgency: .prompt,
        summary: "Whether somebody uses the machine: logged in at it, not locked, not idle.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.change
    static let reads = "logind: sessions"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let sessions = machine.state.sessions else { return [] }
        let isActive = sessions.contains { $0.isLocal && $0.isActive && !$0.isLocked && !$0.isIdle }
        return [
            SensorReading(
                Self.description, .boolean(isActive), icon: isActive ? nil : "mdi:monitor-off")
        ]
    }
}
