import HomeAssistantAPI
import HomingCore
import HomingRuntime
import HomingTestKit
import HomingTransport
import Testing

@testable import HomingAgent

/// The token's way to Home Assistant.
@Suite struct TokenGateTests {
    init() { LoopThread.start() }

    /// Exchanges that go on until the test ends them.
    @LoopActor private final class Exchanges {
        private(set) var count = 0
        private var waiting: [CheckedContinuation<PushChannel.Entry, Never>] = []

        func begin() async -> PushChannel.Entry {
            count += 1
            return await withCheckedContinuation { waiting.append($0) }
        }

        func end(with entry: PushChannel.Entry) {
            for one in waiting { one.resume(returning: entry) }
            waiting = []
        }
    }

    @LoopActor private final class Entries {
        var texts: [String] = []

        func note(_ entry: PushChannel.Entry) {
            switch entry {
            case .token(let token): texts.append(token)
            case .refused(let why), .unauthorized(let why): texts.append(why)
            }
        }
    }

    /// Lets what was begun go on until the condition holds.
    @LoopActor private func turn(until isDone: () -> Bool) async {
        for _ in 0..<1000 where !isDone() { await Task.yield() }
        #expect(isDone())
    }

    @Test("Who asks while the token is being exchanged waits for it: refused ones are counted")
    @LoopActor func oneExchange() async throws {
        let rig = try PipelineRig()
        defer { rig.shutdown() }
        var registration = PipelineRig.registration(rig.server.url)
        registration.authorization = Registration.Authorization(kind: .refresh, token: "r")
        let (exchanges, entries) = (Exchanges(), Entries())
        let gate = TokenGate(
            pipeline: rig.pipeline, registration: registration, plainHTTP: .never,
            exchange: { _, _ in await exchanges.begin() })
        let way = try #require(rig.pipeline.way?.endpoints.lazy.compactMap { PushWay($0) }.first)
        gate.admit(way) { entries.note($0) }
        gate.admit(way) { entries.note($0) }
        await turn { exchanges.count > 0 }
        exchanges.end(with: .unauthorized("revoked"))
        await turn { entries.texts == ["revoked", "revoked"] }
        #expect(exchanges.count == 1)
        // A refused one is not kept, one that was given is.
        gate.admit(way) { entries.note($0) }
        await turn { exchanges.count == 2 }
        exchanges.end(with: .token("t"))
        await turn { entries.texts.last == "t" }
        gate.admit(way) { entries.note($0) }
        #expect(entries.texts.count == 4 && exchanges.count == 2)
    }
}
