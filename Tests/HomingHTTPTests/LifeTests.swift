import HomingHTTP
import HomingRuntime
import HomingTestKit
import Testing

extension HTTPTests {
    @Suite("Cancelling and shutting down") struct LifeTests {
        init() { LoopThread.start() }

        /// Record of what a completion was told, and when.
        @LoopActor final class Record {
            var kinds: [HTTPFailure.Kind?] = []
        }

        @Test("a cancelled request ends once, later, as cancelled")
        @LoopActor func cancel() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let record = Record()
            let transfer = client.send(.post(try TestServer.url("silent"), [])) {
                record.kinds.append($0.failure?.kind)
            }
            await Watch.pause(0.1)
            transfer.cancel()
            transfer.cancel()
            #expect(record.kinds.isEmpty)
            await Watch.pause(0.05)
            #expect(record.kinds == [.cancelled])
            transfer.cancel()
            await Watch.pause(0.05)
            #expect(record.kinds.count == 1)
        }

        @Test("cancelling before anything happened ends it too, and nothing can have arrived")
        @LoopActor func cancelAtOnce() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let request = HTTPRequest.post(try TestServer.url("echo"), [])
            let failure = await withCheckedContinuation { continuation in
                client.send(request) { continuation.resume(returning: $0.failure) }.cancel()
            }
            #expect(failure?.kind == .cancelled)
            #expect(failure?.mayHaveArrived == false)
        }

        @Test("a cancelled task ends its request, under way or not yet")
        @LoopActor func cancelTask() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = try TestServer.url("silent")
            for delay in [0, 0.1] {
                let task = spawn { await client.response(to: .post(url, [])) }
                if delay > 0 { await Watch.pause(delay) }
                task.cancel()
                let failure = await task.value.failure
                #expect(failure?.kind == .cancelled)
                #expect(failure?.mayHaveArrived == (delay > 0))
            }
        }

        @Test("cancelling what has ended does nothing to what came after it")
        @LoopActor func cancelTooLate() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = try TestServer.url("slow")
            var ended: Transfer?
            await withCheckedContinuation { continuation in
                ended = client.send(.post(url, [])) { _ in continuation.resume() }
            }
            let next = spawn { await client.response(to: .post(url, [])) }
            await Watch.pause(0.05)
            ended?.cancel()
            #expect(try await next.value.get().status == 200)
        }

        @Test("shutting down cancels everything, and nothing starts afterwards")
        @LoopActor func shutdown() async throws {
            let client = makeClient()
            let url = try TestServer.url("silent")
            let tasks = (0..<3).map { _ in spawn { await client.response(to: .post(url, [])) } }
            await Watch.pause(0.1)
            client.closeIdleConnections()
            let later = spawn { await client.response(to: .post(url, [])) }
            await Watch.pause(0.05)
            client.shutdown()
            for task in tasks + [later] { #expect(await task.value.failure?.kind == .cancelled) }
            #expect(await client.response(to: .post(url, [])).failure?.kind == .cancelled)
            client.shutdown()
        }

        @Test("a completion may start, cancel, let go and shut down")
        @LoopActor func reentrancy() async throws {
            let client = makeClient()
            let url = try TestServer.url("slow")
            let record = Record()
            var others: [Transfer] = []
            await withCheckedContinuation { continuation in
                client.send(.post(url, [])) { result in
                    record.kinds.append(result.failure?.kind)
                    others.first?.cancel()
                    client.closeIdleConnections()
                    client.send(.post(url, [])) { record.kinds.append($0.failure?.kind) }
                    client.shutdown()
                    continuation.resume()
                }
                for _ in 0..<5 {
                    others.append(
                        client.send(.post(url, [])) { record.kinds.append($0.failure?.kind) })
                }
            }
            await Watch.pause(0.5)
            #expect(record.kinds.count == 7)
            #expect(record.kinds.filter { $0 == nil }.count >= 1)
            #expect(record.kinds.contains(.cancelled))
        }

        @Test("a client nobody holds any more still ends its requests")
        @LoopActor func letGo() async throws {
            let request = HTTPRequest.post(try TestServer.url("slow"), [])
            weak var gone: HTTPClient?
            let status = await withCheckedContinuation { continuation in
                let client = makeClient()
                gone = client
                client.send(request) { continuation.resume(returning: try? $0.get().status) }
            }
            #expect(status == 200)
            await Watch.pause(0.05)
            #expect(gone == nil)
        }
    }
}
