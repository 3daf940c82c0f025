import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@Suite struct LoopTests {
    init() { LoopThread.start() }

    @Test("Spawned tasks run on the loop's thread")
    func spawnRunsOnTheLoop() async {
        let isOn = await spawn { EventLoop.main.isIsolatingCurrentContext() == true }.value
        #expect(isOn)
    }

    @Test("A timer fires when its time has come, and not before")
    func timer() async {
        let waited = await spawn {
            let start = SystemClock.now().uptime
            var watch: Watch?
            await withCheckedContinuation { continuation in
                watch = Watch.timer(0.05) {
                    continuation.resume()
                    return .done
                }
            }
            watch?.cancel()
            return SystemClock.now().uptime - start
        }.value
        #expect(waited >= 0.05)
    }

    @Test("A cancelled watch never fires, and lets its handler go")
    func cancelled() async {
        final class Witness: Sendable {}
        let (fired, isGone) = await spawn { () -> (Bool, Bool) in
            nonisolated(unsafe) var fired = false
            weak var witness: Witness?
            do {
                let strong = Witness()
                witness = strong
                let watch = Watch.timer(0.01) {
                    _ = strong
                    fired = true
                    return .done
                }
                watch.cancel()
            }
            await Watch.pause(0.05)
            return (fired, witness == nil)
        }.value
        #expect(!fired && isGone)
    }

    @Test("A descriptor's watch fires when there is something to read")
    func descriptor() async {
        let text = await spawn {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            let (read, write) = (ends[0], ends[1])
            var watch: Watch?
            let text = await withCheckedContinuation {
                (continuation: CheckedContinuation<String, Never>) in
                watch = Watch.readable(read) {
                    var buffer = [UInt8](repeating: 0, count: 8)
                    let count = Glibc.read(read, &buffer, 8)
                    continuation.resume(
                        returning: String(decoding: buffer.prefix(count), as: UTF8.self))
                    return .done
                }
                _ = Glibc.write(write, "pigeon", 6)
            }
            watch?.cancel()
            close(read)
            close(write)
            return text
        }.value
        #expect(text == "pigeon")
    }
}
