import Glibc
import HomingJSON
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSocket

/// A program with verbs of its own, over a real socket.
@Suite("A program declares its own verbs, and who may ask them") struct OwnVerbsTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/lamp.sock" }

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
    }

    private struct State: Codable, Equatable {
        var isOn: Bool
        var isAskedByTrusted: Bool
    }

    /// A lamp that whoever is trusted may turn.
    @LoopActor private final class Program {
        private(set) var server: LineServer<Lamp>?
        private var isOn = false

        init(
            path: String, trust: Trust,
            mayAsk: @escaping @LoopActor (Lamp.Method, UInt32) -> Bool = { _, _ in false }
        ) throws {
            server = try LineServer(path: path, trust: trust, mayAsk: mayAsk) {
                [weak self] in self?.answer($0, $1)
            }
        }

        private func answer(_ verb: Lamp, _ request: OpenRequest) {
            if case .turn(let params) = verb { isOn = params.isOn }
            let isTrusted = request.connection.isTrusted
            request.reply(State(isOn: isOn, isAskedByTrusted: isTrusted))
        }
    }

    private static let nobody = Trust(users: [], group: nil)
    private static let us = Trust(users: [geteuid()], group: nil)

    /// The answer to a line, whatever is in it.
    private func answer(to line: String) throws -> LineReply<State> {
        let descriptor = try UnixSocket.connect(to: path)
        defer { close(descriptor) }
        let bytes = Array("\(line)\n".utf8)
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &answer, answer.count)
        return try JSON.decode(LineReply<State>.self, from: Array(answer[..<max(0, count)]))
    }

    @Test("Who is trusted may ask everything")
    func trusted() async throws {
        let program = try await Program(path: path, trust: Self.us)
        let client = try LineClient<Lamp>(path: path)
        let on = State(isOn: true, isAskedByTrusted: true)
        #expect(try client.call(.turn(.init(isOn: true)), returning: State.self) == on)
        #expect(try client.call(.look, returning: State.self) == on)
        let reply = try answer(to: #"{"v":1,"id":7,"method":"turn_lamp","params":{"isOn":false}}"#)
        #expect(reply.id == 7 && reply.result?.isOn == false && reply.error == nil)
        let malformed = try answer(to: #"{"v":1,"id":7,"method":"turn_lamp","params":5}"#)
        #expect(malformed.error?.message == "the request is not of the protocol's form")
        await spawn { program.server?.shutdown() }.value
    }

    @Test("Anybody may ask what is for everyone, and is refused the rest unread")
    func strangers() async throws {
        let program = try await Program(path: path, trust: Self.nobody)
        let client = try LineClient<Lamp>(path: path)
        let off = State(isOn: false, isAskedByTrusted: false)
        #expect(try client.call(.look, returning: State.self) == off)
        for params in [#"{"isOn":true}"#, "5", "[[]]"] {
            let reply = try answer(
                to: #"{"v":1,"id":7,"method":"turn_lamp","params":\#(params)}"#)
            #expect(reply.id == 7 && reply.error?.code == EX_NOPERM)
            #expect(reply.error?.message == "permission denied")
            #expect(reply.error?.hint?.contains("usermod -aG lampd") == true)
        }
        #expect(try client.call(.look, returning: State.self) == off)
        await spawn { program.server?.shutdown() }.value
    }

    @Test("The program may let a user ask more, by the method alone")
    func more() async throws {
        let program = try await Program(path: path, trust: Self.nobody) { method, user in
            method == .turn && user == geteuid()
        }
        let client = try LineClient<Lamp>(path: path)
        let on = State(isOn: true, isAskedByTrusted: false)
        #expect(try client.call(.turn(.init(isOn: true)), returning: State.self) == on)
        await spawn { program.server?.shutdown() }.value
    }

    @Test("What no verb is called is refused, whoever asks")
    func unknown() async throws {
        let program = try await Program(path: path, trust: Self.us)
        let reply = try answer(to: #"{"v":1,"id":7,"method":"break_lamp"}"#)
        #expect(reply.id == 7 && reply.error?.code == EX_USAGE)
        #expect(reply.error?.message == "the running lamp does not know this command")
        await spawn { program.server?.shutdown() }.value
    }
}
