import Glibc
import HomingHTTP
import HomingRuntime
import HomingTestKit
import HomingValkey
import Testing

@testable import HomingRelay

/// A real redis-server of a test's own, as Debian has it, in a folder of its own.
final class RedisServer: Sendable {
    let folder: TemporaryFolder
    let port: Int
    private let process: pid_t

    /// - Parameter options: beside those that a relay asks for.
    init(_ options: [String] = []) throws {
        folder = try TemporaryFolder()
        port = try Self.freePort()
        let words =
            [
                "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path,
                "--save", "", "--appendonly", "yes", "--appendfsync", "always",
                "--maxmemory-policy", "noeviction", "--logfile", folder.file("log"),
            ] + options
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let code = posix_spawnp(&child, "redis-server", nil, nil, &arguments, environ)
        try #require(code == 0, "redis-server is missing: apt install redis-server")
        process = child
    }

    deinit { end() }

    func end() {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// A port below the range from which the kernel takes ports for outgoing connections: nobody takes
    /// the port before the server does.
    private static func freePort() throws -> Int {
        let candidates = (0..<50).lazy.map { _ in Int.random(in: 15_000..<32_000) }
        return try #require(candidates.first(where: isFree))
    }

    private static func isFree(_ port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    var address: EngineAddress { EngineAddress(host: "127.0.0.1", port: port) }

    /// A client of its own.
    @LoopActor func engine(
        proof: Pipeline.Proof = .answer,
        told: @escaping @LoopActor (EngineChannelEvent) -> Void = { _ in }
    ) -> Engine {
        Engine(
            [address], EngineLogin(scripts: MailboxScripts.all, proof: proof),
            over: HTTPClient(userAgent: "test"), clock: SystemClock(), told: told)
    }
}
