internal import HomingRuntime

extension HostFiles {
    /// The lines of a table of the kernel's network devices, below its two lines of headings.
    func networkTable(_ path: String) throws(SensorFailure) -> ArraySlice<Substring> {
        let lines = lines(path)
        if let first = lines.first, !first.hasPrefix("Inter-") {
            throw SensorFailure(path, holds: first)
        }
        return lines.dropFirst(2)
    }
}
