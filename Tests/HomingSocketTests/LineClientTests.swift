import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSocket

/// Failures that a command meets when a program does not do its part.
@Suite struct LineClientTests {
    init() { LoopThread.start() }

    @Test("Who bounds the wait is told of a program that hangs, and does not hang with it")
    func hang() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        // It listens, and takes nobody.
        let listener = try UnixSocket.listen(on: path)
        defer { close(listener) }
        let client = try LineClient<Lamp>(path: path)
        client.wait(atMost: 1)
        let start = ContinuousClock.now
        let failure = try thrown(LineError.self) { try client.call(.look, returning: Done.self) }
        #expect(failure?.exitCode == .unavailable)
        #expect(failure?.message == "the lamp does not answer")
        #expect(.now - start >= .milliseconds(900))
    }

    @Test("Bytes that come slowly do not prolong the wait")
    func slowBytes() async throws {
        let (program, client) = try Self.pair()
        defer { close(program) }
        client.wait(atMost: 1)
        let drops = await Self.drip(program)
        let start = ContinuousClock.now
        let failure = try thrown(LineError.self) { try client.call(.look, returning: Done.self) }
        #expect(failure?.message == "the lamp does not answer")
        #expect(.now - start < .seconds(8))
        await spawn { drops.cancel() }.value
    }

    @Test("Bytes that come slowly do not prolong the wait while the loop turns")
    @LoopActor func slowBytesWhileLoopTurns() async throws {
        let (program, client) = try Self.pair()
        defer { close(program) }
        let drops = await Self.drip(program)
        defer { drops.cancel() }
        let start = ContinuousClock.now
        do throws(LineError) {
            _ = try await client.callWhileLoopTurns(.look, returning: Done.self, within: 1)
            Issue.record("nobody answers")
        } catch { #expect(error.message == "the lamp does not answer") }
        #expect(.now - start < .seconds(8))
    }

    @Test("An answer that is there counts, also after the end of the wait")
    func late() throws {
        let (program, client) = try Self.pair()
        defer { close(program) }
        client.wait(atMost: 1)
        try client.send(.look)
        let answer = #"{"id":1,"result":{}}"# + "\n"
        #expect(send(program, answer, answer.utf8.count, 0) == answer.utf8.count)
        usleep(1_100_000)
        #expect(try client.next(Done.self) == Done())
    }

    @Test("An answer without an end is given up")
    func endless() async throws {
        let (program, client) = try Self.pair()
        defer { close(program) }
        let flood = await spawn {
            let bytes = [UInt8](repeating: 32, count: 1 << 16)
            var left = 32 << 20
            return Watch.timer(0.001) {
                left -= max(
                    0, send(program, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)))
                if left <= 0 { shutdown(program, Int32(SHUT_RDWR)) }
                return left > 0 ? .again : .done
            }
        }.value
        let failure = try thrown(LineError.self) { try client.call(.look, returning: Done.self) }
        #expect(failure?.message == "the lamp's answer is too long")
        await spawn { flood.cancel() }.value
    }

    /// Sends a byte ten times a second, from the loop's thread.
    private static func drip(_ program: Int32) async -> Watch {
        await spawn {
            Watch.timer(0.1) {
                _ = send(program, " ", 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                return .again
            }
        }.value
    }

    /// A program's end of a connection, and the client at the other end.
    private static func pair() throws -> (program: Int32, client: LineClient<Lamp>) {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[1], LineClient<Lamp>(descriptor: ends[0]))
    }

    @Test("A wait while the loop turns has a bound, too")
    @LoopActor func hangWhileLoopTurns() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        let listener = try UnixSocket.listen(on: path)
        defer { close(listener) }
        let client = try LineClient<Lamp>(path: path)
        do throws(LineError) {
            _ = try await client.callWhileLoopTurns(.look, returning: Done.self, within: 1)
            Issue.record("nobody answers")
        } catch { #expect(error.message == "the lamp does not answer") }
    }

    @Test("Who meets a program with a full queue is told that the program does not answer")
    func fullQueue() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        let listener = try UnixSocket.listen(on: path)
        #expect(Glibc.listen(listener, 0) == 0)
        let waiting = try UnixSocket.connectAtOnce(to: path)
        defer { [waiting, listener].forEach { _ = close($0) } }
        let failure = try thrown(LineError.self) {
            _ = try LineClient<Lamp>.ifListening(path: path, patience: 1)
        }
        #expect(failure?.exitCode == .unavailable)
        #expect(failure?.message == "the lamp does not answer")
    }

    @Test("Where no program listens, there is no client")
    func nobody() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        #expect(try LineClient<Lamp>.ifListening(path: path) == nil)
        #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        #expect(try LineClient<Lamp>.ifListening(path: path) == nil)
        let failure = try thrown(LineError.self) {
            _ = try LineClient<Lamp>(path: path, startHint: "light it")
        }
        #expect(failure?.hint == "light it")
    }

    @Test("The bound on connecting does not bound what is sent later")
    func slowProgram() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/lamp.sock"
        let listener = try UnixSocket.listen(on: path)
        let client = try UnixSocket.connect(to: path, patience: 1)
        defer { [client, listener].forEach { _ = close($0) } }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        var length = socklen_t(MemoryLayout<timeval>.size)
        #expect(getsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, &length) == 0)
        #expect(limit.tv_sec == 0 && limit.tv_usec == 0)
    }
}
