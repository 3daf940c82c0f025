import HomingBase
import HomingCrypto
import HomingJSON
import HomingRelayProtocol
import HomingRuntime
import HomingServer
import HomingTestKit
import Testing

@testable import HomingRelay

/// A front and a far relay in this process, and a device that has joined both.
private struct FrontRig {
    let far: RelayRig
    let front: RelayRig
    let pair: KeyPair
    let farDevice: RelayDevice
    let frontDevice: RelayDevice
    let key: VerifyKey

    static func start(
        far change: @Sendable (inout RelayConfiguration) -> Void = { _ in }
    ) async throws -> FrontRig {
        let far = try await RelayRig.start(change)
        let port = try #require(far.address.port)
        return try await start(far, "http://127.0.0.1:\(port)")
    }

    static func start(_ far: RelayRig, _ url: String) async throws -> FrontRig {
        let front = try await RelayRig.start { $0.forward.url = url }
        let pair = try KeyPair()
        return FrontRig(
            far: far, front: front, pair: pair, farDevice: try await far.device(pair: pair),
            frontDevice: try await front.device(pair: pair),
            key: await front.onLoop { $0.room.ring.signingKey.verifyKey })
    }

    /// Tells the front the far token.
    func tellFarToken(_ far: PushToken? = nil) throws -> Answer {
        let request = ForwardRequest(
            pushToken: frontDevice.token.text, farToken: (far ?? farDevice.token).text)
        return try front.wire().post(request.body, to: RelayPath.forward)
    }

    /// The next message of the far mailbox, as the front sealed it.
    func message(_ wire: Wire) throws -> (outer: Parcel, inner: Parcel) {
        let outer = try farDevice.message(wire)
        guard case .forwarded(let box) = outer.content else {
            Issue.record("no box")
            throw ParcelFault.malformed
        }
        let inner = try frontDevice.opener.open(
            box, in: farDevice.token.mailbox, signedBy: key)
        return (outer, inner)
    }

    /// Waits until so many messages wait at the front.
    func wait(atFront count: Int) async throws { try await front.wait(forMessages: count) }

    func end() async {
        await front.end()
        await far.end()
    }
}

@Suite("A front", .serialized)
struct FrontTests {
    @Test("passes on what was posted, and deletes what the far relay has")
    func passage() async throws {
        let rig = try await FrontRig.start()
        #expect(try rig.tellFarToken().status == 200)
        let large = String(repeating: "l", count: PushRequest.limit - 200)
        for text in ["Somebody is at the door", large] {
            #expect(try rig.front.wire().post(rig.frontDevice.body(text)).status == 201)
        }
        try await rig.wait(atFront: 0)
        let socket = try rig.far.wire()
        #expect(try rig.farDevice.open(socket)?.isReady == true)
        for text in ["Somebody is at the door", large] {
            let (outer, inner) = try rig.message(socket)
            #expect(inner.content == .push(rig.frontDevice.body(text)))
            #expect(outer.expires == noon + 24 * hour && inner.arrived == noon)
        }
        let status = await rig.front.onLoop { await $0.status() }
        let front = try #require(status.front)
        #expect(front.forwarded == 2 && front.discarded == 0 && front.problem == nil)
        #expect(front.fingerprint == rig.key.fingerprint)
        await rig.end()
    }

    @Test("keeps what comes before the device has told the far token")
    func early() async throws {
        let rig = try await FrontRig.start()
        #expect(try rig.front.wire().post(rig.frontDevice.body()).status == 201)
        try await rig.wait(atFront: 1)
        #expect(try rig.tellFarToken().status == 200)
        try await rig.wait(atFront: 0)
        try await rig.far.wait(forMessages: 1)
        await rig.end()
    }

    @Test("takes a far token that the far relay takes, and of the same device, alone")
    func farTokens() async throws {
        let rig = try await FrontRig.start()
        let other = try await rig.far.device()
        #expect(try rig.tellFarToken(other.token).type == "WrongFarToken")
        // A token with the device's key that the far relay did not make.
        let foreign = try #require(
            try TokenRing.random().token(for: rig.pair.publicKey, generation: 0))
        #expect(try rig.tellFarToken(foreign).type == "WrongFarToken")
        let wire = try rig.front.wire()
        let forged = ForwardRequest(pushToken: foreign.text, farToken: rig.farDevice.token.text)
        #expect(try wire.post(forged.body, to: RelayPath.forward).type == "InvalidToken")
        #expect(try wire.post(Array("{}".utf8), to: RelayPath.forward).type == "NoToken")
        #expect(try rig.tellFarToken().json["renewal"] == .null)
        #expect(try rig.tellFarToken().status == 200)
        await rig.end()
        let away = try await FrontRig.start(rig.far, "http://127.0.0.1:1")
        #expect(try away.tellFarToken().type == "FarRelayAway")
        await away.front.end()
    }

    @Test("gives the device another token of its own when its keys were replaced")
    func renewal() async throws {
        let rig = try await FrontRig.start()
        #expect(try rig.tellFarToken().status == 200)
        _ = try await rig.front.onLoop { service in try await service.rotate() }
        let text = try #require(try rig.tellFarToken().json["renewal"]?.string)
        let sealed = try #require(URLBase64.bytes(of: text))
        let grant = try rig.frontDevice.opener.renewal(sealed)
        #expect(grant.token.keyID != rig.frontDevice.token.keyID)
        #expect(await rig.front.onLoop { $0.room.ring.signingKey.verifyKey } == rig.key)
        await rig.end()
    }

    @Test("gives a device whose tokens were revoked the token that is good, and lists its mailbox")
    func revoked() async throws {
        let rig = try await FrontRig.start()
        #expect(try rig.tellFarToken().status == 200)
        let mailbox = rig.frontDevice.token.mailbox
        let list = try await rig.front.onLoop { try await $0.list(after: nil) }
        #expect(list.mailboxes.map(\.label) == [mailbox.label])
        _ = try await rig.front.onLoop { try await $0.block(mailbox.label, true) }
        #expect(try rig.tellFarToken().type == "Blocked")
        _ = try await rig.front.onLoop { try await $0.block(mailbox.label, false) }
        #expect(try rig.front.wire().post(rig.frontDevice.body()).type == "RevokedToken")
        let text = try #require(try rig.tellFarToken().json["renewal"]?.string)
        let sealed = try #require(URLBase64.bytes(of: text))
        var device = rig.frontDevice
        device.token = try device.opener.renewal(sealed).token
        #expect(try rig.front.wire().post(device.body()).status == 201)
        await rig.end()
    }

    @Test("asks the far relay again about a token that it has refused")
    func refusedToken() async throws {
        let rig = try await FrontRig.start()
        #expect(try rig.tellFarToken().status == 200)
        let mailbox = rig.farDevice.token.mailbox
        #expect(try rig.front.wire().post(rig.frontDevice.body()).status == 201)
        try await rig.front.wait(forMessages: 0)
        _ = try await rig.far.onLoop { try await $0.block(mailbox.label, true) }
        #expect(try rig.front.wire().post(rig.frontDevice.body()).status == 201)
        try await rig.front.wait("the refusal") { $0.forwarder?.isRefused(mailbox) == true }
        let status = await rig.front.onLoop { await $0.status() }
        #expect(status.front?.refused == 1)
        #expect(try rig.tellFarToken().type == "WrongFarToken")
        await rig.end()
    }

    @Test("has no mailboxes for devices, and a relay without a front forwards nothing")
    func routes() async throws {
        let rig = try await FrontRig.start()
        let fields = ["Authorization: Bearer \(rig.frontDevice.token.text)"]
        let mailbox = try rig.front.wire().exchange("GET", RelayPath.mailbox, fields: fields)
        let sealed = try rig.front.wire().post(Array("{}".utf8), to: RelayPath.sealed)
        #expect(mailbox.type == "IsFront" && sealed.type == "IsFront")
        let forward = try rig.far.wire().post(Array("{}".utf8), to: RelayPath.forward)
        #expect(forward.status == 404)
        await rig.end()
    }

    @Test("names its key and the far relay when a device joins")
    func joining() async throws {
        let rig = try await FrontRig.start()
        let invitation = try await rig.front.onLoop { service in
            try await service.invite(life: nil, uses: 1)
        }
        #expect(invitation.fingerprint == rig.key.fingerprint)
        let request = JoinRequest(publicKey: rig.pair.publicKey, code: invitation.code)
        let answer = try rig.front.wire().post(request.body, to: RelayPath.join)
        let joined = try #require(JoinAnswer(body: answer.body))
        let offer = try #require(joined.front)
        #expect(joined.isSigned(for: rig.pair.publicKey) && offer.key == rig.key)
        #expect(offer.url == "http://127.0.0.1:\(rig.far.address.port ?? 0)")
        await rig.end()
    }

    @Test("waits for a far relay that is away, and tells how long")
    func outage() async throws {
        let far = try await RelayRig.start()
        let port = try #require(far.address.port)
        let rig = try await FrontRig.start(far, "http://127.0.0.1:\(port)")
        #expect(try rig.tellFarToken().status == 200)
        let disk = await far.hold()
        #expect(try rig.front.wire().post(rig.frontDevice.body()).status == 201)
        try await rig.front.wait("a turn") { $0.forwarder?.awaySince == nil }
        await far.pass(3)
        try await rig.front.wait("the outage") { $0.forwarder?.awaySince != nil }
        await rig.front.pass(40)
        let status = await rig.front.onLoop { await $0.status() }
        #expect(status.front?.problem != nil && status.front?.awayFor ?? 0 >= 40)
        disk.release()
        for _ in 0..<20 { await rig.front.pass(60) }
        try await rig.wait(atFront: 0)
        try await far.wait(forMessages: 1)
        try await rig.front.wait("the end") { $0.forwarder?.awaySince == nil }
        await rig.end()
    }

    @Test("keeps what is over the far relay's limit until the next day, and lets commands pass")
    func limit() async throws {
        let rig = try await FrontRig.start(far: { $0.limits.maximum = 2 })
        #expect(try rig.tellFarToken().status == 200)
        for number in 0..<3 {
            let body = rig.frontDevice.body("number \(number)")
            #expect(try rig.front.wire().post(body).status == 201)
        }
        try await rig.front.wait("two") { $0.forwarder?.counts.forwarded == 2 }
        let command = rig.frontDevice.body("request_location_update")
        #expect(try rig.front.wire().post(command).status == 201)
        try await rig.front.wait("the command") { $0.forwarder?.counts.forwarded == 3 }
        try await rig.wait(atFront: 1)
        await rig.front.pass(3601)
        try await rig.wait(atFront: 1)
        await rig.far.pass(13 * 3600)
        await rig.front.pass(3601)
        try await rig.wait(atFront: 0)
        await rig.end()
    }

    /// A front before a played far relay, and a device whose far token the front has.
    private func played(
        refusing count: Int
    ) async throws -> (PlayedFarRelay, RelayRig, RelayDevice) {
        let farPair = try KeyPair()
        let ring = try TokenRing.random()
        let token = try #require(ring.token(for: farPair.publicKey, generation: 0))
        let far = try await PlayedFarRelay.start(refusing: count)
        let front = try await RelayRig.start { $0.forward.url = far.url }
        let device = try await front.device(pair: farPair)
        let request = ForwardRequest(pushToken: device.token.text, farToken: token.text)
        #expect(try front.wire().post(request.body, to: RelayPath.forward).status == 200)
        return (far, front, device)
    }

    @Test("asks a far relay that refuses everything no more than once for each message")
    func refusals() async throws {
        let (far, front, device) = try await played(refusing: .max)
        #expect(try front.wire().post(device.body("refused")).status == 201)
        // The message, and the notice of it.
        try await front.wait("the discards") { $0.forwarder?.counts.discarded == 2 }
        await front.pass(120)
        #expect(try await far.requests().count == 2)
        await front.end()
        await far.end()
    }

    @Test("tells a device of a far relay that is slow, and blames no store")
    func slow() async throws {
        let far = try await RelayRig.start()
        let port = try #require(far.address.port)
        let rig = try await FrontRig.start(far, "http://127.0.0.1:\(port)")
        let disk = await far.hold()
        let wire = try rig.front.wire()
        let request = ForwardRequest(
            pushToken: rig.frontDevice.token.text, farToken: rig.farDevice.token.text)
        wire.writeRequest("POST", RelayPath.forward, request.body)
        try await rig.front.wait("the question") { $0.answers.count == 1 }
        for _ in 0..<10 { await rig.front.settle() }
        await rig.front.pass(3)
        #expect(try wire.answer().type == "FarRelayAway")
        #expect(await rig.front.onLoop { $0.watch.isReady })
        disk.release()
        await rig.end()
    }

    @Test("discards what the far relay will never take, and tells the device")
    func discarding() async throws {
        let (far, front, device) = try await played(refusing: 1)
        #expect(try front.wire().post(device.body("refused")).status == 201)
        try await front.wait("the discard") { $0.forwarder?.counts.discarded == 1 }
        #expect(try front.wire().post(device.body("taken")).status == 201)
        try await front.wait(forMessages: 0)
        let key = await front.onLoop { $0.room.ring.signingKey.verifyKey }
        let contents = try await far.requests().map { request in
            try device.opener.open(
                request.box, in: device.token.mailbox, signedBy: key
            ).content
        }
        #expect(contents.first == .push(device.body("refused")))
        #expect(contents.contains(.push(device.body("taken"))))
        #expect(contents.contains(.notice(.dropped(1))))
        await front.end()
        await far.end()
    }
}

/// A far relay that refuses the first boxes for good: a real relay refuses no box of a front.
private final class PlayedFarRelay: Sendable {
    private let server: HTTPServer
    private let record: Record
    var url: String { "http://\(server.addresses[0])" }

    @LoopActor private final class Record {
        var bodies: [[UInt8]] = []
        nonisolated init() {}
    }

    private init(_ server: HTTPServer, _ record: Record) {
        (self.server, self.record) = (server, record)
    }

    static func start(refusing count: Int) async throws -> PlayedFarRelay {
        LoopThread.start()
        let record = Record()
        var ids = MessageIDs()
        let id = ids.next(at: noon)
        let day = DayCount(
            notifications: 1, free: 0, errors: 0, freeErrors: 0, maximum: 0, resetsAt: noon)
        let result: Result<HTTPServer, ServerFailure> = await spawn {
            do throws(ServerFailure) {
                return .success(
                    try HTTPServer(on: [.tcp("127.0.0.1", port: 0)]) { request in
                        guard request.path == RelayPath.sealed else {
                            let body = RelayAnswer.checked(day).body
                            return request.answer(ServerAnswer(200, json: body))
                        }
                        record.bodies.append(request.body)
                        let answer = RelayAnswer.refused(.wrongBox)
                        let isRefused = record.bodies.count <= count
                        request.answer(
                            isRefused
                                ? ServerAnswer(answer.status, json: answer.body)
                                : ServerAnswer(201, json: RelayAnswer.accepted(id, day).body))
                    })
            } catch { return .failure(error) }
        }.value
        return PlayedFarRelay(try result.get(), record)
    }

    func requests() async throws -> [SealedRequest] {
        let bodies = await spawn { [record] in record.bodies }.value
        return try bodies.map { try SealedRequest(body: $0) }
    }

    func end() async { await spawn { [server] in await server.end() }.value }
}

/// A box that somebody posts to a relay.
@Suite("A sealed post", .serialized)
struct SealedPostTests {
    private func request(
        _ device: RelayDevice, waited: Seconds = 3, life: Seconds = 600, tag: String? = nil,
        confirmID: String = "c"
    ) throws -> SealedRequest {
        let box = try #require(FrontBox(bytes: [UInt8](repeating: 7, count: 200)))
        return SealedRequest(
            token: device.token.text, box: box, waited: waited, life: life, kind: .notification,
            tag: tag, confirmID: confirmID, isClearing: false)
    }

    @Test("is stored with the age and the life that the front names")
    func times() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let request = try request(device)
        let answer = try rig.wire().post(request.body, to: RelayPath.sealed)
        #expect(answer.status == 201 && answer.json["rateLimits"]?["total"] != nil)
        let again = try rig.wire().post(request.body, to: RelayPath.sealed)
        #expect(again.json["id"] == answer.json["id"])
        let socket = try rig.wire()
        #expect(try device.open(socket)?.isReady == true)
        let parcel = try device.message(socket)
        #expect(parcel.arrived == noon - 3000 && parcel.expires == noon + 600_000)
        #expect(parcel.content == .forwarded(request.box))
        await rig.end()
    }

    @Test("counts, collapses and is refused as every post is")
    func rules() async throws {
        let rig = try await RelayRig.start { $0.limits.maximum = 2 }
        let device = try await rig.device()
        let post = { (request: SealedRequest) in
            try rig.wire().post(request.body, to: RelayPath.sealed)
        }
        for number in 0..<2 {
            let request = try request(device, tag: "t", confirmID: "\(number)")
            #expect(try post(request).status == 201)
        }
        #expect(try await rig.statistics().messages == 1)
        #expect(try post(request(device, confirmID: "3")).status == 429)
        var stranger = device
        stranger.token = try #require(
            try TokenRing.random().token(for: device.pair.publicKey, generation: 0))
        #expect(try post(request(stranger)).type == "InvalidToken")
        let wire = try rig.wire()
        #expect(try wire.post(Array("[]".utf8), to: RelayPath.sealed).type == "NotAnObject")
        let large = [UInt8](repeating: 0x20, count: PushRequest.limit + 1)
        #expect(try wire.post(large, to: RelayPath.sealed).status == 400)
        #expect(try rig.wire().post(large).status == 413)
        let largest = [UInt8](repeating: 0x20, count: SealedRequest.limit + 1)
        #expect(try rig.wire().post(largest, to: RelayPath.sealed).status == 413)
        await rig.end()
    }
}
