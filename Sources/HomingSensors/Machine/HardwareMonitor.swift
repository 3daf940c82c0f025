internal import HomingRuntime

/// A chip that measures, as the kernel's hwmon shows it: `/sys/class/hwmon/hwmonN`.
struct HardwareMonitor {
    let path: String
    /// The driver's name of it: `coretemp`, `nvme`.
    let name: String

    private let files: HostFiles

    /// All chips that may be asked, in the order of their numbers. One whose device sleeps is left
    /// out: asking would wake it.
    static func all(_ files: HostFiles) -> [HardwareMonitor] {
        let folder = "/sys/class/hwmon"
        return files.numbered("hwmon", in: folder).compactMap { entry in
            let path = "\(folder)/\(entry)"
            guard let name = files.line("\(path)/name"),
                files.line("\(path)/device/power/runtime_status") != "suspended"
            else { return nil }
            return HardwareMonitor(path: path, name: name, files: files)
        }
    }

    /// The numbers of its inputs of that kind: 1 for `temp1_input`.
    func inputs(_ kind: String) -> [Int] {
        files.names(in: path).compactMap { name -> Int? in
            guard name.hasPrefix(kind), name.hasSuffix("_input") else { return nil }
            return Int(name.dropFirst(kind.count).dropLast("_input".count))
        }.sorted()
    }

    /// Returns the driver's name for an input; `nil` if the driver has no name for the input.
    func label(_ kind: String, _ number: Int) -> String? {
        files.line("\(path)/\(kind)\(number)_label")
    }

    /// A temperature in degrees Celsius; `nil` if the chip cannot tell at the moment.
    func temperature(_ number: Int) throws(SensorFailure) -> Double? {
        try files.number("\(path)/temp\(number)_input").map { $0 / 1000 }
    }

    /// Turns a minute.
    func fan(_ number: Int) throws(SensorFailure) -> Double? {
        try files.number("\(path)/fan\(number)_input")
    }
}
