import HomeAssistantAPI
import HomingDelivery
import HomingHTTP
import HomingJSON
import HomingRoutes
import HomingRuntime
import HomingTestKit

@testable import HomingAgent

/// A Home Assistant behind the agent's transport, at the end of endpoints that break.
@LoopActor final class PlayedHome: Transport {
    /// Seconds from a request to its answer.
    static let latency: Seconds = 0.05

    var homeAssistant = SimulatedHomeAssistant()
    /// Failure of every request, in place of Home Assistant's answer.
    var failure: Answer?
    /// Uptimes of all requests.
    private(set) var requests: [Seconds] = []
    /// Uptimes of those that brought states of sensors, and of those that brought a position.
    private(set) var updates: (sensors: [Seconds], positions: [Seconds]) = ([], [])
    /// Rows that a request brought, repeats included.
    private(set) var rows: [OutboxEntry] = []
    /// The `app_data` of each `update_registration`.
    private(set) var told: [JSONValue] = []
    /// Answer of Home Assistant when it is asked for a secret.
    var secretReply = DirectCall<JSONValue>.Reply.emptyObject
    /// Uptimes at which it was.
    private(set) var secretsAsked: [Seconds] = []
    /// The ends of the connection to Home Assistant.
    var path: ConnectionPath?
    /// The format in which zones would be sent.
    var zoneFormat = ZoneFormat()
    /// Parts of which a real transport would be made.
    var parts: TransportParts?
    /// Weighs what is asked.
    var scale: Scale?
    private let clock: VirtualClock
    private var answering: (any Alarm)?
    /// Target to which the open connection of each endpoint leads.
    private var connections: [Endpoint.Kind: Int] = [:]

    init(_ clock: VirtualClock) {
        self.clock = clock
        homeAssistant.cloudhookURL = "https://hooks.nabu.casa/abc"
        homeAssistant.remoteUIURL = "https://abc.ui.nabu.casa"
    }

    func sendRequest(
        _ request: Request, _ endpoint: Endpoint, completion: @escaping @LoopActor (Answer) -> Void
    ) {
        requests.append(clock.now().uptime)
        scale?.weigh(request)
        rows += Self.rows(of: request)
        switch request {
        case .sensors: updates.sensors.append(clock.now().uptime)
        case .location: updates.positions.append(clock.now().uptime)
        default: break
        }
        answering = clock.timer(Self.latency) { [weak self] in
            guard let self else { return .done }
            completion(self.answer(request, endpoint))
            return .done
        }
    }

    private static func rows(of request: Request) -> [OutboxEntry] {
        switch request {
        case .location(let entry), .event(let entry), .registerSensor(let entry): [entry]
        case .track(let entries), .sensors(let entries): entries
        case .configuration, .zones, .receipt, .shortReceipt: []
        }
    }

    private func answer(_ request: Request, _ endpoint: Endpoint) -> Answer {
        if let failure { return failure }
        let restarts = homeAssistant.restarts
        let isNew = connections.updateValue(restarts, forKey: endpoint.kind) != restarts
        homeAssistant.now = clock.now().unixTime
        return homeAssistant.answerRequest(request, onNewConnection: isNew)
    }

    /// A webhook's own word on what is asked beside the courier's requests: done, nothing to tell.
    func reply(
        to command: WebhookRequest, by endpoint: Endpoint, timeout: Seconds
    ) async -> DirectCall<JSONValue>.Reply {
        guard failure == nil else { return .failed(.network("down"), mayHaveArrived: false) }
        if case .updateRegistration(let update) = command,
            let data = (try? JSONValue(json: JSON.bytes(update, names: .snakeCase)))?["app_data"]
        {
            told.append(data)
            return .opened(.null)
        }
        guard command == .enableEncryption else { return .emptyObject }
        secretsAsked.append(clock.now().uptime)
        return secretReply
    }

    func proof(of endpoint: Endpoint) async -> EndpointProblem? {
        failure == nil ? nil : .network("down")
    }

    func use(_ format: ZoneFormat) { zoneFormat = format }

    func dropConnections() { connections = [:] }

    func cancel() { answering = nil }

    /// The most requests in any stretch of so many seconds.
    func most(in seconds: Seconds) -> Int {
        var (most, first) = (0, 0)
        for (last, uptime) in requests.enumerated() {
            while uptime - requests[first] >= seconds { first += 1 }
            most = max(most, last - first + 1)
        }
        return most
    }

    func forgetRequests() {
        requests = []
        updates = ([], [])
        rows = []
    }
}
