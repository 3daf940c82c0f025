internal import HomingRuntime

/// Whether a USB camera is in use: its driver counts who has it open. (Other cameras' drivers count
/// other things as well.)
struct CameraSensor: MachineSensor {
    static let description = SensorDescription(
        "camera_in_use", "Camera in use", kind: .binarySensor, icon: "mdi:camera",
        urgency: .prompt, summary: "Whether a program has a USB camera open.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.devices
    static let reads = "`/sys/module/uvcvideo/refcnt`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let count = try machine.files.number("/sys/module/uvcvideo/refcnt"),
            !machine.files.names(in: "/sys/class/video4linux").isEmpty
        else { return [] }
        return [
            SensorReading(
                Self.description, .boolean(count > 0), icon: count > 0 ? nil : "mdi:camera-off")
        ]
    }
}
