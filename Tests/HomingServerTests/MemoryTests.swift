import Glibc
import HomingRuntime
import HomingServer
import HomingTestKit
import HomingWebSocket
import Testing

extension ServerTests {
    /// Memory that idle WebSockets cost.
    @Suite struct MemoryTests {
        /// Bytes of memory of this process.
        private static func memory() throws -> Int {
            let file = try #require(fopen("/proc/self/statm", "r"))
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 200)
            try #require(fgets(&line, 200, file) != nil)
            let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let words = String(decoding: text, as: UTF8.self).split(separator: " ")
            return try #require(Int(words[1])) * Int(getpagesize())
        }

        /// Raises the number of descriptors to the system's maximum.
        private static func raiseLimit() -> Int {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return Int(clamping: limit.rlim_cur)
        }

        @Test(
            "An idle WebSocket holds few KiB, also after messages have come and gone",
            .enabled(if: getenv("TSAN_OPTIONS") == nil, "the thread sanitizer multiplies memory"))
        func idle() async throws {
            let wanted = TestRun.number("HOMING_SOCKETS", 1500)
            let count = min(wanted, (Self.raiseLimit() - 200) / 2)
            try #require(count > 100)
            try await withServer(limits: { $0.perAddress = count * 2 }) { rig in
                await rig.handleRequests { request, served in
                    served.upgrade(request, echoes: false)
                }
                // What is made once.
                var clients = [try SocketTests.open(rig)]
                let message = SocketTests.frame(String(repeating: "x", count: 10_000))
                clients[0].send(message)
                try await rig.wait("the message") { $0.heardCount == 1 }
                clients.reserveCapacity(count + 1)
                let before = try Self.memory()
                for _ in 0..<count { clients.append(try SocketTests.open(rig)) }
                for client in clients.dropFirst() { client.send(message) }
                try await rig.wait("all messages") { $0.heardCount == count + 1 }
                let each = (try Self.memory() - before) / count
                print("HOMING_FIGURE: \(each) bytes for each of \(count) idle WebSockets")
                #expect(each < 4 << 10)
                #expect(await rig.counts.sockets == count + 1)
                // All at once, which is quicker than one after the other.
                for client in clients { client.reset() }
                try await rig.wait("the ends") { $0.server?.counts.sockets == 0 }
            }
        }
    }
}
