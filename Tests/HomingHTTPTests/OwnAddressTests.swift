import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingHTTP

extension HTTPTests {
    /// Requests whose URL a stranger chose.
    @Suite("This machine") struct OwnAddressTests {
        init() { LoopThread.start() }

        @Test("A request that must not stay on this machine finds no port of it, by any name")
        @LoopActor func names() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let port = try TestServer.fact("plain")
            let hosts = [
                "127.0.0.1", "localhost", "127.1", "0", "0.0.0.0", "2130706433", "0x7f.0.0.1",
                "[::ffff:127.0.0.1]", "127.255.255.254",
            ]
            for host in hosts {
                var request = HTTPRequest(url: "http://\(host):\(port)/echo")
                let open = await client.response(to: request)
                request.mayReachThisMachine = false
                request.needsNewConnection = true
                let failure = await client.response(to: request).failure
                #expect(failure != nil && failure?.mayHaveArrived == false, "\(host)")
                if host.hasPrefix("127.0.0.1") { #expect(open.failure == nil) }
            }
            // The handle is used again, for a request that may.
            let url = "http://127.0.0.1:\(port)/echo"
            #expect(await client.response(to: HTTPRequest(url: url)).failure == nil)
        }

        /// An address of IPv6 with zeros between these.
        private func six(_ head: [UInt8], _ tail: [UInt8]) -> [UInt8] {
            head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
        }

        @Test("Which addresses are this machine's, or on its link")
        func addresses() {
            let own: [[UInt8]] = [
                [127, 0, 0, 1], [127, 9, 9, 9], [0, 0, 0, 0], [169, 254, 1, 1],
                six([], [1]), six([], []), six([], [0xFF, 0xFF, 127, 0, 0, 1]),
                six([0xFE, 0x80], [1]), six([0xFE, 0xBF], [1]),
            ]
            for address in own { #expect(OwnAddress.contains(address), "\(address)") }
            let others: [[UInt8]] = [
                [192, 168, 1, 1], [10, 0, 0, 1], [8, 8, 8, 8], [169, 253, 0, 1],
                six([0x20, 0x01], [1]), six([0xFD, 0], [1]), six([], [0xFF, 0xFF, 8, 8, 8, 8]),
            ]
            for address in others { #expect(!OwnAddress.contains(address), "\(address)") }
        }
    }
}
