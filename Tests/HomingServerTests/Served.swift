import HomingBase
import HomingRuntime
import HomingServer
import HomingTestKit
import Testing

/// The parent of every suite that has a server: one after the other, as some count what is open.
@Suite("The server", .serialized) struct ServerTests {}

/// A program with a server.
@LoopActor final class Served {
    /// Action of the program on a request.
    typealias Take = @Sendable @LoopActor (ServerRequest, Served) -> Void

    /// Answer to a request: by default at once, with what it was.
    var take: Take = { request, _ in request.echo() }
    /// Requests that wait for the test to answer them.
    private(set) var waiting: [ServerRequest] = []
    /// Events of the WebSockets, in order.
    private(set) var events: [ServerSocket.Event] = []
    /// The events in an array of its own. The thread sanitizer does not see the runtime's reference counts: an array
    /// that the loop appends to after a test has read the array looks like a race.
    var copiedEvents: [ServerSocket.Event] { events.map { $0 } }
    private(set) var sockets: [ServerSocket] = []
    /// Texts that came to WebSockets which are only counted.
    private(set) var heardCount = 0
    private(set) var server: HTTPServer?

    func start(
        on addresses: [ListenAddress], _ limits: ServerLimits, _ proxies: [AddressRange],
        _ clock: any Clockwork
    ) throws(ServerFailure) -> [ListenAddress] {
        let server = try HTTPServer(on: addresses, limits: limits, trusts: proxies, clock: clock) {
            [weak self] request in
            guard let self else { return request.echo() }
            take(request, self)
        }
        self.server = server
        return server.addresses
    }

    func hold(_ request: ServerRequest) { waiting.append(request) }

    /// Answers the one that has waited longest.
    func answerFirst(_ status: Int = 200) {
        if !waiting.isEmpty { waiting.removeFirst().echo(status) }
    }

    /// Makes a WebSocket of it, which sends back every text.
    func upgrade(_ request: ServerRequest, limit: Int = 64 << 10, echoes: Bool = true) {
        var socket: ServerSocket?
        socket = request.upgrade(limit: limit) { [weak self] event in
            if echoes { self?.events.append(event) } else { self?.heardCount += 1 }
            if echoes, case .text(let text) = event { socket?.send(text: text) }
            if case .ended = event { socket = nil }
        }
        if let socket { sockets.append(socket) }
    }
}

extension ServerRequest {
    /// Answers with method, path and size of the body.
    func echo(_ status: Int = 200) {
        answer(ServerAnswer(status, json: Array("{\"\(method) \(path)\":\(body.count)}".utf8)))
    }
}

/// Server of a test: its address, its program and its clock.
struct ServerRig: Sendable {
    let served: Served
    let addresses: [ListenAddress]
    let clock: VirtualClock?

    var address: ListenAddress { addresses[0] }

    func client(from source: String? = nil) throws -> RawClient {
        try RawClient(address, from: source)
    }

    /// Has the program do this with its requests.
    func handleRequests(_ take: @escaping Served.Take) async {
        await spawn { served.take = take }.value
    }

    var counts: HTTPServer.Counts {
        get async { await spawn { served.server?.counts ?? HTTPServer.Counts() }.value }
    }

    /// Lets the loop see what has been sent to it: what has come is polled for in each turn.
    func settle() async {
        for _ in 0..<12 { await spawn {}.value }
    }

    /// Lets time pass on the played clock.
    func pass(_ seconds: Seconds) async {
        await settle()
        await spawn { clock?.pass(seconds) }.value
        await settle()
    }

    /// The events of the WebSockets so far.
    var events: [ServerSocket.Event] {
        get async { await spawn { served.copiedEvents }.value }
    }

    /// Waits until something is so, for 20 s at the most.
    func wait(
        _ what: String, until isSo: @escaping @Sendable @LoopActor (Served) -> Bool
    ) async throws {
        let begin = SystemClock.now().uptime
        while await !spawn({ isSo(served) }).value {
            try #require(SystemClock.now().uptime - begin < 20, "\(what) does not happen")
        }
    }
}

/// Serves while the test runs, and ends the server in any case.
func withServer<T: Sendable>(
    on addresses: [ListenAddress] = [.tcp("127.0.0.1", port: 0)],
    limits change: (inout ServerLimits) -> Void = { _ in }, trusts proxies: [AddressRange] = [],
    isPlayed: Bool = false, _ body: (ServerRig) async throws -> T
) async throws -> T {
    LoopThread.start()
    var limits = ServerLimits()
    change(&limits)
    let clock = isPlayed ? VirtualClock() : nil
    let chosen = limits
    let (served, bound) = try await spawn {
        () -> Result<(Served, [ListenAddress]), ServerFailure> in
        let served = Served()
        do throws(ServerFailure) {
            let bound = try served.start(on: addresses, chosen, proxies, clock ?? SystemClock())
            return .success((served, bound))
        } catch {
            return .failure(error)
        }
    }.value.get()
    let rig = ServerRig(served: served, addresses: bound, clock: clock)
    let result: Result<T, any Error>
    do { result = .success(try await body(rig)) } catch { result = .failure(error) }
    try await rig.end()
    return try result.get()
}

extension ServerRig {
    /// Ends the server; the played clock goes on meanwhile.
    func end() async throws {
        let ended = Flag()
        spawn {
            await served.server?.end()
            ended.isSet = true
        }
        let begin = SystemClock.now().uptime
        while await !spawn({ ended.isSet }).value {
            await pass(0.5)
            try #require(SystemClock.now().uptime - begin < 40, "the server does not end")
        }
    }
}

/// Whether something has happened.
@LoopActor final class Flag {
    var isSet = false
    nonisolated init() {}
}
