internal import HomingRuntime

/// Whether an update waits for a restart: a package said so (Debian's and Ubuntu's mark), or the
/// running kernel's modules are gone, as after an update on Arch and others.
struct RebootRequiredSensor: MachineSensor {
    static let description = SensorDescription(
        "reboot_required", "Reboot required", kind: .binarySensor, deviceClass: "update",
        isDiagnostic: true, icon: "mdi:restart-alert",
        summary: "Whether an update needs a restart.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/run/reboot-required`, `/lib/modules`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let files = machine.files
        let isMarked = files.exists("/run/reboot-required")
        let kernels = files.names(in: "/lib/modules")
        guard isMarked || !kernels.isEmpty || files.exists("/var/lib/dpkg/status") else {
            return []
        }
        let release = files.line("/proc/sys/kernel/osrelease")
        let isReplaced = release.map { !kernels.isEmpty && !kernels.contains($0) } ?? false
        let packages = isMarked ? Set(files.lines("/run/reboot-required.pkgs")) : []
        let names = packages.sorted().joined(separator: ", ")
        return [
            SensorReading(
                Self.description, .boolean(isMarked || isReplaced),
                attributes: names.isEmpty ? [:] : ["packages": .text(names)])
        ]
    }
}
