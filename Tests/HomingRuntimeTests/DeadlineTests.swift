import Glibc
import HomingRuntime
import HomingTestKit
import Testing

/// Deadlines of the loop: each is called at the last time that it was set to.
@Suite(.serialized) struct DeadlineTests {
    /// Names of the deadlines that were called, in order.
    @LoopActor private final class Record {
        private(set) var names: [String] = []
        private var deadlines: [String: any Deadline] = [:]

        @discardableResult
        func make(_ name: String, then act: @escaping @LoopActor () -> Void = {}) -> any Deadline {
            let deadline = SystemClock().deadline { [weak self] in
                self?.names.append(name)
                act()
            }
            deadlines[name] = deadline
            return deadline
        }

        subscript(name: String) -> (any Deadline)? { deadlines[name] }

        func drop(_ name: String) { deadlines[name] = nil }

        /// Waits for so many calls, and a moment longer for those that must not come.
        func wait(for count: Int) async {
            for _ in 0..<200 where names.count < count { await Watch.pause(0.05) }
            await Watch.pause(0.05)
        }
    }

    init() { LoopThread.start() }

    /// Keeps the loop from turning for so long.
    private static func stall(_ seconds: Seconds) {
        let end = SystemClock.now().uptime + seconds
        while SystemClock.now().uptime < end {}
    }

    @Test("A deadline is called once, when its time has come and not before")
    func once() async {
        let (names, waited) = await spawn {
            let record = Record()
            let start = SystemClock.now().uptime
            let waited = await withCheckedContinuation { continuation in
                record.make("a") {
                    continuation.resume(returning: SystemClock.now().uptime - start)
                }
                .set(after: 0.05, exactly: true)
            }
            await Watch.pause(0.1)
            return (record.names, waited)
        }.value
        #expect(names == ["a"] && waited >= 0.05)
    }

    @Test("A later setting takes the place of the one before, sooner or later")
    func setAgain() async {
        let (early, all) = await spawn {
            let record = Record()
            let (sooner, later) = (record.make("sooner"), record.make("later"))
            sooner.set(after: 60, exactly: true)
            sooner.set(after: 0.01, exactly: true)
            later.set(after: 0.01, exactly: true)
            later.set(after: 2, exactly: true)
            await record.wait(for: 1)
            let early = record.names
            await record.wait(for: 2)
            return (early, record.names)
        }.value
        #expect(early == ["sooner"] && all == ["sooner", "later"])
    }

    @Test("Deadlines that are due together are called in the order of their times")
    func order() async {
        let names = await spawn {
            let record = Record()
            record.make("c").set(after: 0.03, exactly: true)
            record.make("a").set(after: 0.01, exactly: true)
            record.make("b").set(after: 0.02, exactly: true)
            Self.stall(0.05)
            await record.wait(for: 3)
            return record.names
        }.value
        #expect(names == ["a", "b", "c"])
    }

    @Test("A deadline that is cancelled, or let go, is not called", arguments: [true, false])
    func cancelled(isLetGo: Bool) async {
        let names = await spawn {
            let record = Record()
            record.make("a").set(after: 0.01, exactly: true)
            record.make("b").set(after: 0.02, exactly: true)
            if isLetGo { record.drop("a") } else { record["a"]?.cancel() }
            await record.wait(for: 1)
            return record.names
        }.value
        #expect(names == ["b"])
    }

    @Test("A handler may set its own deadline again, let it go, and cancel another that is due")
    func handlers() async {
        let names = await spawn {
            let record = Record()
            record.make("other")
            record.make("first") { [weak record] in
                record?["other"]?.cancel()
                if record?.names.count == 3 { return record?.drop("first") ?? () }
                record?["first"]?.set(after: 0.01, exactly: true)
            }
            record["first"]?.set(after: 0.01, exactly: true)
            record["other"]?.set(after: 0.02, exactly: true)
            Self.stall(0.05)
            await record.wait(for: 3)
            return record.names
        }.value
        #expect(names == ["first", "first", "first"])
    }

    @Test("A deadline that is set to no time again and again leaves the loop its turns")
    func fairness() async {
        let count = await spawn {
            let record = Record()
            record.make("now") { [weak record] in record?["now"]?.set(after: 0, exactly: true) }
            record["now"]?.set(after: 0, exactly: true)
            // It ends only if the loop's other timers have their turns.
            await record.wait(for: 10)
            record.drop("now")
            return record.names.count
        }.value
        #expect(count >= 10)
    }

    @Test("What is there to read comes before a deadline that came while the loop was busy")
    func lateAnswer() async {
        let names = await spawn {
            let record = Record()
            // The queue of deadlines has its source before the pipe.
            let patience = record.make("patience")
            patience.set(after: 60, exactly: true)
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            let watch = Watch.readable(ends[0]) {
                patience.cancel()
                return .done
            }
            await Watch.pause(0.01)
            patience.set(after: 0.02, exactly: true)
            _ = write(ends[1], "x", 1)
            Self.stall(0.05)
            await Watch.pause(0.05)
            watch.cancel()
            for end in ends { close(end) }
            return record.names
        }.value
        #expect(names == [])
    }

    @Test("A deadline that need not be exact comes with slow timers, and not too soon")
    func slow() async {
        let (times, waited) = await spawn {
            let start = SystemClock.now().uptime
            var times: [Seconds] = []
            let note: @LoopActor () -> Void = { times.append(SystemClock.now().uptime) }
            let deadlines = [0.9, 0.5].map { wait in
                let deadline = SystemClock().deadline(note)
                deadline.set(after: wait, exactly: false)
                return deadline
            }
            let timer = Watch.slowTimer(1) {
                note()
                return .done
            }
            await Watch.pause(2.2)
            for deadline in deadlines { deadline.cancel() }
            timer.cancel()
            return (times, (times.first ?? 0) - start)
        }.value
        #expect(times.count == 3 && waited >= 0.5)
        // All at one tick of the second, which may be the next tick for one of them.
        let ticks = times.map { ($0 - times[0]) - ($0 - times[0]).rounded() }
        #expect(ticks.allSatisfy { abs($0) < 0.2 }, "\(times)")
    }
}
