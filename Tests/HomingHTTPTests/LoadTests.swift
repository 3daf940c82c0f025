import Glibc
import HomingHTTP
import HomingRuntime
import HomingTestKit
import Testing

extension HTTPTests {
    @Suite("Load and idleness") struct LoadTests {
        init() { LoopThread.start() }

        @Test("two hundred requests at once are all answered", arguments: ["plain", "good"])
        @LoopActor func concurrent(port: String) async throws {
            let client = try makeTrustingClient()
            defer { client.shutdown() }
            let url = try TestServer.url("echo", port)
            let tasks = (0..<200).map { number in
                spawn { await client.response(to: .post(url, Array("number \(number)".utf8))) }
            }
            for (number, task) in tasks.enumerated() {
                #expect(try await task.value.get().text.hasSuffix("number \(number)"))
            }
        }

        @Test("two thousand refused connections leave neither descriptors nor memory behind")
        @LoopActor func refused() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let request = HTTPRequest.post(try TestServer.url("x", "refused"), [])
            for _ in 0..<500 { _ = await client.response(to: request) }
            let (descriptors, memory) = (Process.descriptors(), Process.ownMemory())
            for _ in 0..<2000 {
                let failure = await client.response(to: request).failure
                if failure?.kind != .refused { Issue.record("\(String(describing: failure))") }
            }
            #expect(Process.descriptors() <= descriptors)
            // In kB: a quarter of a kilobyte a failure would be found. AddressSanitizer frees late.
            if dlsym(nil, "__asan_init") == nil { #expect(Process.ownMemory() - memory < 500) }
        }

        @Test("failures of every kind leave no descriptors behind once the client is gone")
        @LoopActor func descriptors() async throws {
            var urls = ["http://nowhere.invalid/"]
            for behaviour in ["half", "hangup", "huge", "headers", "garbage", "leave"] {
                urls.append(try TestServer.url(behaviour))
            }
            for port in ["good", "expired", "unknown", "mutual"] {
                urls.append(try TestServer.url("x", port))
            }
            let before = Process.descriptors()
            for _ in 0..<20 {
                let client = try makeTrustingClient()
                for url in urls { _ = await client.response(to: .post(url, [])) }
                client.send(.post(try TestServer.url("silent"), [])) { _ in }
                client.shutdown()
            }
            await Watch.pause(0.1)
            #expect(Process.descriptors() <= before)
        }

        @Test("the loop sleeps while a warm connection waits", arguments: ["plain", "good"])
        @LoopActor func idle(port: String) async throws {
            let client = try makeTrustingClient()
            defer { client.shutdown() }
            let url = try TestServer.url("echo", port)
            for _ in 0..<3 { _ = try await client.response(to: .post(url, [])).get() }
            // One for the timer that ends the wait, and one to spare. Another test may have left the
            // loop something to do: that comes to an end, a connection that keeps it awake does not.
            var seen: [Int] = []
            repeat { seen.append(await wakes(within: 3)) } while seen.last! > 2 && seen.count < 5
            #expect(seen.last! <= 2, "\(seen)")
            #expect(try await client.response(to: .post(url, [])).get().isReused)
        }

        @Test("the loop does not spin on a connection that the server closed")
        @LoopActor func closedByServer() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = try TestServer.url("leave")
            _ = try await client.response(to: .post(url, [])).get()
            let before = Process.timeOfThisThread()
            await Watch.pause(0.5)
            #expect(Process.timeOfThisThread() - before < 0.1)
        }
    }
}

/// Times that the loop's thread went to sleep within so many seconds, counted by the loop itself:
/// a test's own steps would wake it again.
@LoopActor private func wakes(within seconds: Double) async -> Int {
    var watch: Watch?
    let wakes = await withCheckedContinuation { continuation in
        let before = Process.wakesOfThisThread()
        watch = Watch.timer(seconds) {
            continuation.resume(returning: Process.wakesOfThisThread() - before)
            return .done
        }
    }
    watch?.cancel()
    return wakes
}

/// Numbers about this process from /proc.
private enum Process {
    static func descriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Memory of its own, in kB.
    static func ownMemory() -> Int { number("RssAnon:", in: "/proc/self/status") }

    /// Times that the calling thread went to sleep.
    static func wakesOfThisThread() -> Int {
        number("voluntary_ctxt_switches:", in: "/proc/thread-self/status")
    }

    /// Seconds of CPU that the calling thread has had.
    static func timeOfThisThread() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The number on the line that begins so; -1 if there is none.
    private static func number(_ name: String, in path: String) -> Int {
        guard let file = fopen(path, "r") else { return -1 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            return Int(text.dropFirst(name.count).filter(\.isNumber)) ?? -1
        }
        return -1
    }
}
