import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSocket

/// The server's care for who connects.
@Suite struct LineServerTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/lamp.sock" }

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
    }

    /// Answers `look` with done, and `watch` with an event now and one a minute later
    /// than anybody waits, unless `again` is called.
    @LoopActor private final class Service {
        var server: LineServer<Lamp>?
        var again: [@LoopActor () -> Void] = []

        func answer(_ verb: Lamp, _ request: OpenRequest) {
            guard verb == .watch else { return request.reply(Done()) }
            let event: @LoopActor () -> Void = { request.stream(Done()) }
            event()
            again.append(event)
        }
    }

    private static let nobody = Trust(users: [], group: nil)

    @LoopActor private func serve(
        trust: Trust, idleLimit: Seconds = 30, takeNext: (@LoopActor (Int32) -> Int32)? = nil
    ) throws -> Service {
        let service = Service()
        service.server = try LineServer(
            path: path, trust: trust, idleLimit: idleLimit,
            takeNext: takeNext ?? { Glibc.accept($0, nil, nil) }
        ) { service.answer($0, $1) }
        return service
    }

    /// Whether the server ends the connection without a word.
    private func isEnded(_ descriptor: Int32) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        return poll(&ready, 1, 10_000) == 1 && read(descriptor, &byte, 1) == 0
    }

    @Test("An answer that this loop gives is waited for while the loop turns")
    @LoopActor func waitingInTheLoop() async throws {
        let service = try serve(trust: Self.nobody)
        let client = try LineClient<Lamp>(path: path)
        _ = try await client.callWhileLoopTurns(.look, returning: Done.self)
        service.server?.shutdown()
        let failure = try await thrown(LineError.self) {
            try await client.callWhileLoopTurns(.look, returning: Done.self)
        }
        #expect(failure?.exitCode == .unavailable)
    }

    @Test("A long answer in parts is read whole while the loop turns")
    @LoopActor func answerInParts() async throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        let client = LineClient<Lamp>(descriptor: ends[0])
        let parts = ["{\"id\":1,", String(repeating: " ", count: 100_000), "\"result\":{}}\n"]
        var watches: [Watch] = []
        for (index, part) in parts.enumerated() {
            watches.append(
                Watch.once(after: 0.05 * Double(index + 1)) { [end = ends[1]] in
                    _ = write(end, part, part.utf8.count)
                })
        }
        _ = try await client.callWhileLoopTurns(.look, returning: Done.self)
        watches.removeAll()
    }

    @Test("A stranger who asks nothing is shown out; one who asked to watch may stay")
    func idleStrangers() async throws {
        let service = try await serve(trust: Self.nobody, idleLimit: 0.2)
        let watcher = try LineClient<Lamp>(path: path)
        try watcher.stream(.watch, of: Done.self) { _ in false }
        let (silent, slow) = (try UnixSocket.connect(to: path), try UnixSocket.connect(to: path))
        defer { [silent, slow].forEach { _ = close($0) } }
        #expect(write(slow, "{\"v\":1", 6) == 6)
        #expect(isEnded(silent) && isEnded(slow))
        // The watcher came first and is there still.
        await spawn { service.again.forEach { $0() } }.value
        #expect(try watcher.next(Done.self) == Done())
        await spawn { service.server?.shutdown() }.value
    }

    @Test("A stranger gets one answer to text that is no request, and no other")
    func nonsense() async throws {
        let service = try await serve(trust: Self.nobody)
        let stranger = try UnixSocket.connect(to: path)
        defer { close(stranger) }
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        #expect(setsockopt(stranger, SOL_SOCKET, SO_RCVTIMEO, &patience, size) == 0)
        #expect(write(stranger, "{}\n{}\n{}\n", 9) == 9)
        var output: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = read(stranger, &bytes, bytes.count), count > 0 {
            output += bytes[..<count]
        }
        #expect(output.count { $0 == UInt8(ascii: "\n") } == 1)
        await spawn { service.server?.shutdown() }.value
    }

    @Test("A watcher gets one event after another until it has seen enough")
    func streaming() async throws {
        let server = try await spawn {
            Result<LineServer<Lamp>, SystemError> { () throws(SystemError) in
                try LineServer(path: path) { _, request in
                    for _ in 0..<5 { request.stream(Done()) }
                }
            }
        }.value.get()
        var seen = 0
        try LineClient<Lamp>(path: path).stream(.watch, of: Done.self) { _ in
            seen += 1
            return seen < 3
        }
        #expect(seen == 3)
        await spawn { server.shutdown() }.value
    }

    @Test("Whoever is trusted may be idle")
    func idleTrusted() async throws {
        let service = try await serve(
            trust: Trust(users: [geteuid()], group: nil), idleLimit: 0.05)
        let client = try LineClient<Lamp>(path: path)
        #expect(try client.call(.look, returning: Done.self) == Done())
        let stranger = try TemporaryFolder()
        let other = try await spawn {
            Result<LineServer<Lamp>, SystemError> { () throws(SystemError) in
                try LineServer(
                    path: "\(stranger.path)/lamp.sock", trust: Self.nobody, idleLimit: 0.2
                ) { _, _ in }
            }
        }.value.get()
        let idle = try UnixSocket.connect(to: "\(stranger.path)/lamp.sock")
        defer { close(idle) }
        #expect(isEnded(idle), "by then the trusted client has been idle for longer than the limit")
        #expect(try client.call(.look, returning: Done.self) == Done())
        await spawn {
            other.shutdown()
            service.server?.shutdown()
        }.value
    }

    @Test("A stranger with too many connections is told so, until one of them ends")
    func tooMany() async throws {
        let service = try await serve(trust: Self.nobody)
        var clients = try (0..<Admission.maxPerUser).map { _ in try LineClient<Lamp>(path: path) }
        for client in clients {
            #expect(try client.call(.look, returning: Done.self) == Done())
        }
        let refusal = try thrown(LineError.self) {
            try LineClient<Lamp>(path: path).call(.look, returning: Done.self)
        }
        #expect(refusal?.code == EX_UNAVAILABLE)
        #expect(refusal?.message == "the lamp has too many connections")
        clients.removeLast()
        let freed = (0..<1000).contains { _ in
            (try? LineClient<Lamp>(path: path).call(.look, returning: Done.self)) == Done()
        }
        #expect(freed)
        await spawn { service.server?.shutdown() }.value
    }

    @Test("A hundred who connect at once find room to wait to be let in")
    @LoopActor func crowd() throws {
        let service = try serve(trust: Self.nobody)
        defer { service.server?.shutdown() }
        // The loop, which would take them, is here.
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        for _ in 0..<100 {
            descriptors.append(try UnixSocket.connectAtOnce(to: path))
        }
    }

    @Test("Without a descriptor left the server rests, and takes the connection later")
    func outOfDescriptors() async throws {
        @LoopActor final class Shortage { var (isThere, tries) = (true, 0) }
        let shortage = Shortage()
        let service = try await serve(trust: Self.nobody) {
            shortage.tries += 1
            guard shortage.isThere else { return Glibc.accept($0, nil, nil) }
            errno = EMFILE
            return -1
        }
        let client = try LineClient<Lamp>(path: path)
        let tries = await spawn {
            while shortage.tries == 0 { await Watch.pause(0) }
            for _ in 0..<200 { await Watch.pause(0) }
            shortage.isThere = false
            return shortage.tries
        }.value
        #expect(tries < 20, "the loop turned 200 times meanwhile")
        #expect(try client.call(.look, returning: Done.self) == Done())
        await spawn { service.server?.shutdown() }.value
    }
}
