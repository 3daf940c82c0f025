import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingPairing

/// The port at which a browser ends its login, beside others on this machine.
@Suite(.serialized) struct LoopbackListenerTests {
    init() { LoopThread.start() }

    private func connect(_ port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = port.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, size)
            }
        }
        return code == 0 ? descriptor : -1
    }

    /// Reads what has come, without waiting; `nil` if nothing has, and the connection is open.
    private func received(_ descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test("A browser is answered though others hold every connection open")
    @LoopActor func crowd() async throws {
        let listener = try LoopbackListener { "asked for \($0)" }
        defer { listener.close() }
        var others: [Int32] = []
        for _ in 0..<40 {
            others.append(connect(listener.port))
            await Watch.pause(0.002)
        }
        defer { for other in others { close(other) } }
        let browser = connect(listener.port)
        defer { close(browser) }
        let request = Array("GET /callback HTTP/1.1\r\n\r\n".utf8)
        #expect(send(browser, request, request.count, 0) == request.count)
        await Watch.pause(0.1)
        #expect(received(browser)?.contains("asked for /callback") == true)
        #expect(received(others[0]) == "", "the oldest has made room")
        #expect(received(others[39]) == nil)
    }

    @Test("A browser of another account is not asked, and told what to do")
    @LoopActor func otherAccount() async throws {
        var targets: [String] = []
        let listener = try LoopbackListener(patience: 10, accounts: [geteuid() &+ 1]) { target in
            targets.append(target)
            return "welcome"
        }
        defer { listener.close() }
        let browser = connect(listener.port)
        defer { close(browser) }
        let request = Array("GET /callback?code=c&state=s HTTP/1.1\r\n\r\n".utf8)
        #expect(send(browser, request, request.count, 0) == request.count)
        await Watch.pause(0.1)
        #expect(received(browser)?.contains("runs as another user") == true)
        #expect(targets == [])
    }

    @Test("A program that has closed its end counts as one of another account")
    @LoopActor func closed() async throws {
        var targets: [String] = []
        let listener = try LoopbackListener(patience: 10, accounts: [geteuid(), 0]) { target in
            targets.append(target)
            return "welcome"
        }
        defer { listener.close() }
        for _ in 0..<5 {
            let program = connect(listener.port)
            let request = Array("GET /callback?code=c&state=s HTTP/1.1\r\n\r\n".utf8)
            #expect(send(program, request, request.count, 0) == request.count)
            close(program)
        }
        await Watch.pause(0.1)
        #expect(targets == [])
    }

    @Test("A connection that says nothing is ended")
    @LoopActor func silence() async throws {
        let listener = try LoopbackListener(patience: 0.05) { $0 }
        defer { listener.close() }
        let other = connect(listener.port)
        defer { close(other) }
        await Watch.pause(0.01)
        #expect(received(other) == nil)
        await Watch.pause(0.2)
        #expect(received(other) == "")
    }
}
