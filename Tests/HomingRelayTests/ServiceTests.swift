import HomingBase
import HomingCrypto
import HomingJSON
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingRelay

/// A relay as Home Assistant and devices meet it.
@Suite("A relay on real sockets", .serialized)
struct ServiceTests {
    @Test("takes a notification, and hands it to the device that is here or comes")
    func delivery() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let (sender, socket) = (try rig.wire(), try rig.wire())
        let early = try sender.post(device.body("first"))
        let ready = try device.open(socket)
        #expect(early.status == 201 && early.isReadable)
        let limits = early.json["rateLimits"]
        #expect(limits?["successful"]?.whole == 1 && limits?["remaining"]?.whole == 149)
        #expect(limits?["resetsAt"]?.string == "2027-01-16T00:00:00.000Z")
        guard case .ready(waiting: 1, let count, renewal: nil) = ready else {
            return #expect(Bool(false), "\(String(describing: ready))")
        }
        #expect(count.notifications == 1)
        let first = try device.message(socket)
        #expect(first.content == .push(device.body("first")))
        #expect(first.id.text == early.json["id"]?.string && first.arrived == noon)
        #expect(first.expires == noon + 24 * hour)
        // Further down the same connection, with a path of a proxy's.
        let late = try sender.post(device.body("second"), to: "/somewhere/push")
        let second = try device.message(socket)
        #expect(late.status == 201 && second.content == .push(device.body("second")))
        socket.send(.acknowledge([first.id, second.id]))
        try await rig.wait(forMessages: 0)
        await rig.end()
    }

    @Test("refuses posts that come too fast without a look at the store, and spares other devices")
    func bursts() async throws {
        let rig = try await RelayRig.start { $0.limits.burst = 5 }
        let (device, other) = try await (rig.device(), rig.device())
        let wire = try rig.wire()
        var answers: [Answer] = []
        for _ in 0..<8 { answers.append(try wire.post(device.body())) }
        #expect(answers.map(\.status) == [201, 201, 201, 201, 201, 429, 429, 429])
        let refused = try #require(answers.last)
        #expect(refused.type == "TooFast" && refused.isReadable)
        #expect(refused.json["rateLimits"] == nil && refused.fields["retry-after"] == "1")
        #expect(try await rig.statistics().messages == 5)
        #expect(try wire.post(other.body()).status == 201)
        await rig.pass(0.1)
        let (next, tooSoon) = (try wire.post(device.body()), try wire.post(device.body()))
        #expect(next.status == 201 && tooSoon.status == 429)
        await rig.end()
    }

    @Test("lets a revoked token use up nothing of the present token's burst, nor a question")
    func revokedBurst() async throws {
        let rig = try await RelayRig.start { $0.limits.burst = 3 }
        let old = try await rig.device()
        let next = try await rig.onLoop { service in
            try await service.store.answer {
                service.store.raiseGeneration(old.token.mailbox, above: 0, $0)
            }
        }
        let ring = await rig.onLoop { $0.room.ring }
        var new = old
        new.token = try #require(ring.token(for: old.pair.publicKey, generation: next))
        let wire = try rig.wire()
        let stolen = try (0..<5).map { _ in try wire.post(old.body()).status }
        #expect(stolen == [403, 403, 403, 429, 429])
        let asked = try (0..<5).map { _ in try wire.post(new.body(), to: RelayPath.check).status }
        let posted = try (0..<4).map { _ in try wire.post(new.body()).status }
        #expect(asked == [200, 200, 200, 200, 200] && posted == [201, 201, 201, 429])
        await rig.end()
    }

    @Test("hears of an unlisted proxy from a device with a good token, and from no stranger")
    func unlistedProxy() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let (stranger, socket) = (try rig.wire(), try rig.wire())
        let fields = ["Content-Type: application/json", "X-Forwarded-For: 192.0.2.1"]
        let refused = try stranger.exchange(
            "POST", RelayPath.push, Array("{\"push_token\":\"x\"}".utf8), fields: fields)
        #expect(refused.status == 403)
        #expect(await rig.onLoop { !$0.proxies.hasUnlistedProxy })
        _ = try device.knock(socket, fields: ["X-Forwarded-For: 192.0.2.1"])
        #expect(await rig.onLoop { $0.proxies.hasUnlistedProxy })
        withExtendedLifetime(socket) {}
        await rig.end()
    }

    @Test("answers what it does not do in JSON, with the words for it")
    func routes() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let body = device.body()
        let wire = try rig.wire()
        let text = ["Content-Type: text/plain"]
        let json = ["Content-Type: Application/JSON ; charset=utf-8"]
        let cases: [(Answer, Int, String)] = [
            (try wire.post(body, to: "/nowhere"), 404, "NotFound"),
            (try wire.exchange("GET", "/v1/push"), 405, "WrongMethod"),
            (try wire.exchange("POST", "/v1/push", body, fields: text), 415, "WrongContentType"),
            (try wire.exchange("POST", "/v1/push", body, fields: []), 415, "WrongContentType"),
            (try wire.exchange("POST", "/v1/push", Array("{}".utf8), fields: json), 403, "NoToken"),
            (try wire.post(Array("{".utf8)), 400, "MalformedJSON"),
            (try wire.post(Array("[1]".utf8)), 400, "NotAnObject"),
            (try wire.post(Array("{}".utf8)), 403, "NoToken"),
            (try wire.post(Array("{\"push_token\":\"x\"}".utf8)), 403, "InvalidToken"),
            (try wire.exchange("GET", RelayPath.mailbox, fields: []), 403, "NoToken"),
            (
                try wire.exchange(
                    "GET", RelayPath.mailbox, fields: ["Authorization: Bearer nonsense"]), 403,
                "InvalidToken"
            ),
            (try wire.post(Array("{}".utf8), to: RelayPath.join), 400, "InvalidKey"),
        ]
        for (answer, status, type) in cases {
            #expect(answer.status == status && answer.type == type && answer.isReadable)
        }
        #expect(cases[1].0.fields["allow"] == "POST")
        let plain = try wire.exchange(
            "GET", RelayPath.mailbox, fields: ["Authorization: Bearer \(device.token.text)"])
        #expect(plain.status == 426 && plain.isReadable)
        await rig.end()
    }

    @Test("tells the count of a token, and counts nothing by that")
    func check() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let wire = try rig.wire()
        for _ in 0..<3 { _ = try wire.post(device.body()) }
        let answers = try (0..<2).map { _ in try wire.post(device.body(), to: RelayPath.check) }
        for answer in answers {
            #expect(answer.status == 200)
            #expect(answer.json["rateLimits"]?["successful"]?.whole == 3)
        }
        await rig.end()
    }

    @Test("takes exactly the maximum of many at once, and leaves the device one notice")
    func maximum() async throws {
        let rig = try await RelayRig.start { $0.limits.maximum = 20 }
        let device = try await rig.device()
        let wires = try (0..<16).map { _ in try rig.wire() }
        var statuses: [Int: Int] = [:]
        for _ in 0..<10 {
            for wire in wires { wire.writeRequest("POST", RelayPath.push, device.body()) }
            for wire in wires { statuses[try wire.answer().status, default: 0] += 1 }
        }
        #expect(statuses == [201: 20, 429: 140])
        let refused = try wires[0].post(device.body())
        #expect(refused.isReadable && refused.json["rateLimits"]?["errors"]?.whole == 141)
        let socket = try rig.wire()
        let ready = try device.open(socket)
        guard case .ready(let waiting, _, _) = ready else { return #expect(Bool(false)) }
        #expect(waiting == 21)
        let contents = try (0..<21).map { _ in try device.message(socket).content }
        let midnight = noon + 12 * hour
        #expect(
            contents.filter { $0 == .notice(.limitReached(maximum: 20, resetsAt: midnight)) }
                .count == 1)
        await rig.end()
    }

    @Test("refuses the thirty-first bad token of an address otherwise, and no good one")
    func badTokens() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let wire = try rig.wire()
        let end = device.token.text.hasSuffix("A") ? "B" : "A"
        let bad = Array("{\"push_token\":\"\(device.token.text.dropLast())\(end)\"}".utf8)
        let statuses = try (0..<40).map { _ in try wire.post(bad).status }
        let good = try wire.post(device.body())
        #expect(statuses.filter { $0 == 403 }.count == 30)
        #expect(statuses.filter { $0 == 429 }.count == 10)
        #expect(good.status == 201)
        let statistics = try await rig.statistics()
        #expect(statistics.messages == 1)
        await rig.end()
    }

    @Test("says 503 after two seconds of a disk that hangs, and delivers what it commits later")
    func slowDisk() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let (sender, other) = (try rig.wire(), try rig.wire())
        let disk = await rig.hold()
        sender.writeRequest("POST", RelayPath.push, device.body("late"))
        try await rig.wait("the request waits") { $0.answers.count == 1 }
        await rig.pass(1.9)
        #expect(await rig.onLoop { $0.answers.count } == 1)
        await rig.pass(0.2)
        let answer = try sender.answer()
        #expect(answer.status == 503 && answer.type == "Overloaded" && answer.isReadable)
        #expect(answer.fields["retry-after"] == "5")
        #expect(await rig.onLoop { $0.answers.count } == 0)
        // Meanwhile what needs no disk is answered.
        let refused = try other.post(Array("{}".utf8))
        #expect(refused.status == 403)
        let asked = spawn { await rig.service.status() }
        await rig.pass(2.1)
        let hanging = await asked.value
        #expect(hanging.isStoreFailing && hanging.store == nil)
        #expect(hanging.storeFailure == "the store does not answer in time")
        disk.release()
        let socket = try rig.wire()
        #expect(try device.open(socket)?.isReady == true)
        #expect(try device.message(socket).content == .push(device.body("late")))
        let status = await rig.onLoop { await $0.status() }
        #expect(status.posts.late == 1 && status.posts.accepted == 1)
        #expect(!status.isStoreFailing && status.store != nil)
        await rig.end()
    }

    @Test("keeps no word of what it stores")
    func blindness() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let wire = try rig.wire()
        let more = #""title":"Mistletoe","data":{"tag":"quagmire"},"hass_confirm_id":"zeppelin""#
        for _ in 0..<20 { _ = try wire.post(device.body("Rhinoceros", more)) }
        let words = ["Rhinoceros", "Mistletoe", "quagmire", "zeppelin", device.token.text]
        for name in rig.folder.names() where name.hasPrefix("relay.db") {
            let bytes = try rig.folder.read(name)
            for word in words { #expect(bytes.firstRange(of: Array(word.utf8)) == nil, "\(name)") }
        }
        let statistics = try await rig.statistics()
        #expect(statistics.messages == 1)
        await rig.end()
    }
}
