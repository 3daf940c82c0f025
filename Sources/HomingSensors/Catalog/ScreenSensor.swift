internal import HomingMachine

/// Whether the screen is locked, and whether it is left alone, by what the desktop tells logind.
struct ScreenSensor: MachineSensor {
    static let locked = SensorDescription(
        "screen_locked", "Screen locked", kind: .binarySensor, icon: "mdi:monitor-lock",
        urgency: .prompt, summary: "Whether the desktop in front is locked.")
    static let idle = SensorDescription(
        "idle", "Idle", kind: .binarySensor, icon: "mdi:sleep", urgency: .prompt,
        summary: "Whether nobody has touched the desktop in front for a while.")
    static let descriptions = [locked, idle]
    static let occasion = SensorOccasion.change
    static let reads = "logind: sessions"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let desktops = (machine.state.sessions ?? []).filter { $0.isLocal && $0.isGraphical }
        guard !desktops.isEmpty else { return [] }
        let front = desktops.first { $0.isActive }
        // Where another console is in front, nobody is at a desktop.
        return [
            SensorReading(Self.locked, .boolean(front?.isLocked ?? true)),
            SensorReading(Self.idle, .boolean(front?.isIdle ?? true)),
        ]
    }
}
