import Glibc
import HomingRuntime
import Testing

/// Cost of the most expensive of many inputs to an entry point.
///
/// `HOMING_COSTS=FILE` appends a line for each entry point: its name, a tab, and the milliseconds of
/// processor time and kilobytes of memory that its most expensive input takes.
struct Price {
    /// Bytes of an input; fewer where code is not optimised, as its time is of no interest.
    static var size: Int {
        #if DEBUG
            8192
        #else
            65_536
        #endif
    }
    /// Seconds of processor time that an input may take where programs are built as they ship.
    static let limit = 0.05

    private(set) var seconds = 0.0
    private(set) var name = ""
    private(set) var kilobytes = 0

    /// Gives each input to the entry point, and keeps the highest cost.
    static func highest(
        of inputs: [(name: String, text: [UInt8])], _ read: ([UInt8]) throws -> Void
    ) -> Price {
        var highest = Price()
        for input in inputs {
            let (first, kilobytes) = cost(of: input.text, read)
            var seconds = first
            // The machine may have been busy: an input that would be the highest is measured again,
            // and more often where it would be too much.
            var again = 0
            while seconds > highest.seconds, again < (seconds > limit ? 10 : 2) {
                seconds = min(seconds, cost(of: input.text, read).seconds)
                again += 1
            }
            highest.note(input.name, seconds: seconds, kilobytes: kilobytes)
        }
        return highest
    }

    private static func cost(
        of input: [UInt8], _ read: ([UInt8]) throws -> Void
    ) -> (seconds: Double, kilobytes: Int) {
        resetPeak()
        let (before, start) = (memory("VmRSS"), processorTime())
        // To be refused is one of the ways to be read.
        try? read(input)
        let seconds = processorTime() - start
        return (seconds, memory("VmHWM") - before)
    }

    mutating func note(_ name: String, seconds: Double, kilobytes: Int) {
        self.kilobytes = max(self.kilobytes, kilobytes)
        guard seconds >= self.seconds else { return }
        (self.name, self.seconds) = (name, seconds)
    }

    /// Demands that the most expensive input keeps within the limit, and records it.
    func check(_ entry: String) {
        #expect(seconds <= Self.limit * Self.slowness, "\(entry): \(name): \(seconds) s")
        guard let path = getenv("HOMING_COSTS"), let file = fopen(path, "a") else { return }
        defer { fclose(file) }
        let time = (seconds * 10_000).rounded() / 10
        let memory = kilobytes > 0 ? "\(kilobytes) kB" : "no page more"
        fputs("\(entry)\t\(time) ms, \(memory) of memory at its peak: \(name)\n", file)
    }

    /// Factor by which unoptimised code may be slower.
    private static var slowness: Double {
        #if DEBUG
            30
        #else
            1
        #endif
    }

    /// Seconds of processor time of this thread.
    static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Has the kernel forget the peak.
    static func resetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// Kilobytes, by the kernel's word of this process.
    static func memory(_ field: String) -> Int {
        guard let status = try? AtomicFile.read("/proc/self/status") else { return 0 }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix(field) }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
