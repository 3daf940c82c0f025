internal import Glibc
internal import HomingRuntime

/// The rule of every target that an input's cost grows with its size alone: bytes from outside must
/// not buy much more time than they took to send.
@LoopActor enum Cost {
    /// Runs the target. A breach if the input costs too much; what is dear is run twice more, as
    /// the machine may have been busy, and the cheapest run counts.
    static func check(of target: any FuzzTarget, on input: [UInt8]) {
        let kind = type(of: target)
        let limit = kind.fixedCost + kind.costPerByte * Double(input.count)
        var least = Double.infinity
        for _ in 0..<3 {
            let start = processorTime()
            do { try target.run(input) } catch { fatalError("breach: threw \(error)") }
            least = min(least, processorTime() - start)
            if least <= limit { return }
        }
        let time = Int(least * 1000)
        require(false, "\(input.count) bytes cost \(time) ms, the limit is \(Int(limit * 1000)) ms")
    }

    /// Seconds of processor time of this thread.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
