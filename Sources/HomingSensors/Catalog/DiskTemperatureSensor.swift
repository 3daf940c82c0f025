internal import HomingBase
internal import HomingRuntime

/// Temperatures of the disks whose temperature the kernel tells without root: NVMe disks, and SATA
/// disks with the driver `drivetemp`. The sensor leaves a disk with platters alone: a question
/// could keep the disk from sleeping, and waits for a disk that sleeps.
struct DiskTemperatureSensor: MachineSensor {
    static let description = SensorDescription(
        "disk_temperature", "Disk temperature", deviceClass: "temperature",
        stateClass: .measurement, unit: "°C", isDiagnostic: true, icon: "mdi:harddisk",
        minChange: 2, summary: "Temperature of each solid-state disk.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/sys/class/hwmon` (`nvme`, `drivetemp`)"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        var readings: [SensorReading] = []
        for chip in HardwareMonitor.all(machine.files) where DiskMonitor.drivers.contains(chip.name)
        {
            let disk = DiskMonitor(chip, machine.files)
            guard let name = disk.name, !disk.isRotating, let degrees = try chip.temperature(1)
            else {
                continue
            }
            readings.append(
                SensorReading(
                    Self.description.one(name), .rounded(degrees, 1),
                    attributes: disk.model.map { ["model": .text($0)] } ?? [:]))
        }
        return readings
    }
}

/// A chip in a disk, and the disk it is in.
struct DiskMonitor {
    /// hwmon's names of such chips.
    static let drivers: Set<String> = ["nvme", "drivetemp"]

    /// `nvme0n1`, `sda`; `nil` if it cannot be found out.
    let name: String?
    let model: String?
    let isRotating: Bool

    init(_ chip: HardwareMonitor, _ files: HostFiles) {
        let device = "\(chip.path)/device"
        model = files.line("\(device)/model")
        if chip.name == "nvme" {
            // Beside it stand nvme0n1, and for a disk with several paths nvme0c0n1.
            name = files.names(in: device).first { $0.hasPrefix("nvme") && $0.holds("n1") }
            isRotating = false
        } else {
            name = files.names(in: "\(device)/block").first
            isRotating =
                name.map { files.line("\(device)/block/\($0)/queue/rotational") != "0" } ?? true
        }
    }
}
