internal import Glibc

/// Facts of the system about this process.
public enum OwnProcess {
    /// Bytes in memory; `nil` where /proc does not say.
    public static var residentBytes: Int? {
        guard let bytes = try? AtomicFile.read("/proc/self/statm", limit: 256) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard words.count > 1, let pages = Int(words[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Seconds of processor time so far, of all threads.
    public static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
