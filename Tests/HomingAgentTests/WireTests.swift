import HomeAssistantAPI
import HomingBase
import HomingDelivery
import HomingHTTP
import HomingLocation
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Parts of a row that go over the wire.
@Suite struct WireTests {
    init() { LoopThread.start() }

    @Test("Coordinates are told to 7 decimals, as news and as history")
    @LoopActor func decimals() throws {
        let http = HTTPClient(userAgent: "Homing")
        defer { http.shutdown() }
        let transport = try WebhookTransport(
            TransportParts(
                http: http, registration: HomeRig.registration("http://h:8123", secret: nil),
                outboxID: "o", socket: SocketCarrier(clock: SystemClock()) { nil }))
        let place = try #require(Coordinate(latitude: 52.369243833, longitude: -4.900000049))
        let fix = Fix(coordinate: place, accuracy: 5, time: 1_800_000_000)
        let entry = OutboxEntry(
            id: EntryID(.location, 1), message: .location(LocationMessage(place: .fix(fix))),
            acceptedAt: 1_800_000_000)
        let envelope = WebhookEnvelope(sealer: nil)
        for (request, wanted) in [
            (Request.location(entry), "[52.3692438,-4.9]"),
            (.track([entry]), "1800000000,52.3692438,-4.9,"),
        ] {
            let command = try #require(transport.command(for: request, nonce: ""))
            let text = String(decoding: try envelope.body(for: command), as: UTF8.self)
            #expect(text.contains(wanted), "\(text)")
        }
    }
}
