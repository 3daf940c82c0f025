import Glibc
import HomingHTTP
import HomingRuntime
import Testing

/// Server/server.py as a child that goes when we go, and what it says of itself.
///
/// Started from the loop's thread, which lives as long as the process: the signal of
/// `--pdeathsig` comes when the thread that forked ends.
@LoopActor enum TestServer {
    /// `name=value` pairs of the server's one line.
    private static let facts: [String: String] = {
        guard let line = launch() else { return [:] }
        let pairs = line.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(
            pairs.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) },
            uniquingKeysWith: { first, _ in first })
    }()

    /// A port or a file by its name.
    static func fact(_ name: String) throws -> String {
        try #require(facts[name], "the server did not start")
    }

    /// `scheme://127.0.0.1:port/behaviour`, with a secret in path and query if asked.
    static func url(_ behaviour: String, _ port: String = "plain", secret: String? = nil) throws
        -> String
    {
        let scheme = port == "plain" || port == "refused" ? "http" : "https"
        let tail = secret.map { "/\($0)?key=\($0)" } ?? ""
        return "\(scheme)://127.0.0.1:\(try fact(port))/\(behaviour)\(tail)"
    }

    private static func launch() -> String? {
        let script = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])
        let arguments = [
            "setpriv", "--pdeathsig", "KILL", "/usr/bin/python3", "/\(script)/Server/server.py",
        ]
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, "/usr/bin/setpriv", &actions, nil, &pointers, environ)
        close(ends[1])
        guard code == 0 else { return nil }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1, byte != 0x0a { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}

/// The parent of every suite that talks to the servers: one after the other, as some count the
/// process's descriptors and wake-ups.
@Suite("HTTP over libcurl", .serialized) struct HTTPTests {}

@LoopActor func makeClient(_ tls: TLSOptions = TLSOptions()) -> HTTPClient {
    HTTPClient(tls: tls, userAgent: "Homing/1.2.3")
}

/// A client that trusts the servers' authority.
@LoopActor func makeTrustingClient() throws -> HTTPClient {
    makeClient(TLSOptions(caFile: try TestServer.fact("ca")))
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension Result where Failure == HTTPFailure {
    var failure: HTTPFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
