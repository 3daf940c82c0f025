import HomeAssistantAPI
import HomingBase
import HomingDelivery
import HomingRoutes
import HomingRuntime

@testable import HomingAgent

/// Weighs requests and their answers: TCP's payload, both ways. The bodies are those of the real
/// transport; what Home Assistant answers has the size of the real one's.
@LoopActor final class Scale {
    /// Heads of a request and of its answer by HTTP, as `make bench` sees them.
    private static let heads = 159 + 224
    /// Base64 of nonce, authenticator and content, in `{"encrypted":true,"encrypted_data":""}`.
    private static let sealedFrame = 38
    private static let sealOverhead = 40
    /// `{"id":1000,"type":"result","success":true,"result":{"body":"","status":200,"headers":{…}}}`.
    private static let resultFrame = 118
    /// Quotes in a sealed body, which the result's JSON escapes.
    private static let quotes = 6
    private static let nonceSize = 11
    /// Seconds since 1970 with six decimals; and names of entities as in decision 0056.
    private static let (timeSize, trackerSize, witnessSize) = (17, 23, 22)
    /// Bytes before a frame of the WebSocket: with a mask, and without.
    private static let frameHeads = 8 + 4

    private(set) var messages = 0
    /// Messages by what they ask.
    private var kinds: [String: Int] = [:]
    private(set) var bytes = 0
    private let transport: WebhookTransport
    private let webhookID: String
    private let bySocket: Bool
    private let sensors: @LoopActor () -> Int

    /// - Parameters:
    ///   - bySocket: whether the channel for notifications carries them.
    ///   - sensors: how many Home Assistant knows.
    init(
        _ parts: TransportParts, bySocket: Bool, sensors: @escaping @LoopActor () -> Int
    ) throws {
        transport = try WebhookTransport(parts)
        webhookID = parts.registration.webhookID
        self.bySocket = bySocket
        self.sensors = sensors
    }

    /// Adds a request and its answer.
    func weigh(_ request: Request) {
        guard
            let command = transport.command(
                for: request, nonce: String(repeating: "0", count: Self.nonceSize)),
            let body = try? transport.envelope.body(for: command)
        else { return }
        messages += 1
        kinds[Self.name(of: request), default: 0] += 1
        let answer = answerSize(request)
        guard bySocket else {
            bytes += Self.heads + body.count + answer
            return
        }
        let asked = WebSocketCommand.webhook(webhookID: webhookID, body: body).message(id: 1000)
        bytes += Self.frameHeads + asked.count + Self.resultFrame + answer
        if answer > 2 { bytes += Self.quotes }
    }

    /// Adds what keeps the channel open for so long: Home Assistant's pings after 55 s of silence,
    /// and a subscription each hour.
    func keepChannel(for seconds: Seconds) {
        let subscription = WebSocketCommand.subscribePush(webhookID: webhookID).message(id: 1000)
        bytes += Int(seconds / 55) * (2 + 6)
        bytes += Int(seconds / 3600) * (Self.frameHeads + subscription.count + 57)
    }

    /// `12 positions, 14 receipts`.
    var kindsText: String {
        kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    private static func name(of request: Request) -> String {
        switch request {
        case .location: "positions"
        case .track: "histories"
        case .event: "events"
        case .receipt: "receipts"
        case .shortReceipt: "short receipts"
        case .registerSensor: "registrations of sensors"
        case .sensors: "updates of sensors"
        case .configuration: "questions for the configuration"
        case .zones: "questions for the zones"
        }
    }

    private func answerSize(_ request: Request) -> Int {
        switch request {
        case .location, .track, .event: 2
        case .receipt:
            sealed(
                #"{"r":["",["not_home",10.123456,4.9],,"",,""]}"#.utf8.count + Self.nonceSize
                    + 2 * Self.timeSize + Self.trackerSize + Self.witnessSize)
        case .shortReceipt(let names):
            sealed(
                #"{"r":["",["not_home",10.123456,4.9]]}"#.utf8.count + Self.nonceSize
                    + (names.witness == nil ? 0 : 1 + Self.timeSize))
        case .registerSensor: sealed(#"{"success":true}"#.utf8.count)
        case .sensors(let entries): sealed(2 + entries.reduce(0) { $0 + Self.verdictSize($1) })
        case .configuration:
            sealed(420 + sensors() * #""memory_usage":{"disabled":false},"#.utf8.count)
        case .zones: sealed(420)
        }
    }

    /// `"id":{"success":true},`
    private static func verdictSize(_ entry: OutboxEntry) -> Int {
        guard case .sensor(let sensor) = entry.message else { return 0 }
        return sensor.uniqueID.utf8.count + #""":{"success":true},"#.utf8.count
    }

    private func sealed(_ size: Int) -> Int {
        Self.sealedFrame + (size + Self.sealOverhead + 2) / 3 * 4
    }
}
