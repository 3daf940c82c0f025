import HomingRuntime

/// Resources that this process holds.
struct Footprint {
    let descriptors: Int
    let residentBytes: Int

    init() {
        descriptors = (try? Folders.names(in: "/proc/self/fd").count) ?? 0
        let words = (try? AtomicFile.read("/proc/self/statm")).map {
            String(decoding: $0, as: UTF8.self).split(separator: " ")
        }
        residentBytes = (words.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4096
    }
}
