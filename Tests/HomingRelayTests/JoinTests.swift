import HomingBase
import HomingCrypto
import HomingRelayProtocol
import HomingRuntime
import HomingServer
import HomingSocket
import HomingTestKit
import Testing

@testable import HomingRelay

/// Steps by which a device gets its token.
@Suite("Joining a relay", .serialized)
struct JoinTests {
    private func join(
        _ wire: Wire, _ pair: KeyPair, code: String? = nil, path: String = RelayPath.join
    ) throws -> Answer {
        try wire.post(JoinRequest(publicKey: pair.publicKey, code: code).body, to: path)
    }

    private func device(_ answer: Answer, _ pair: KeyPair) throws -> (RelayDevice, JoinAnswer) {
        let joined = try #require(JoinAnswer(body: answer.body))
        let grant = try ParcelOpener(pair: pair).grant(joined.sealed)
        // Who knows a device's public key asks for a token as well as the device.
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains(grant.token.text) && !text.contains("hr1."))
        let keys = [grant.token.keyID: grant.parcelKey]
        return (RelayDevice(pair: pair, token: grant.token, parcelKeys: keys), joined)
    }

    @Test("takes the code of an invitation, once, and gives all that a device needs")
    func code() async throws {
        let rig = try await RelayRig.start { $0.join.name = "Ours" }
        let pair = try KeyPair()
        let wire = try rig.wire()
        let invitation = try await rig.onLoop { service in
            try await service.invite(life: nil, uses: 1)
        }
        #expect(invitation.expires == Seconds(noon / 1000) + 86_400)
        let without = try join(wire, pair)
        let wrong = try join(wire, pair, code: "wrong")
        let joined = try join(wire, pair, code: invitation.code.uppercased())
        #expect(without.type == "CodeNeeded" && wrong.type == "WrongCode")
        #expect(joined.status == 200)
        let (device, answer) = try device(joined, pair)
        #expect(answer.maximum == 150 && answer.name == "Ours")
        #expect(answer.pushURL == "http://relay.test:8765/v1/push")
        // Whoever lost the answer asks again; another device does so in vain.
        let again = try join(wire, pair, code: invitation.code)
        let other = try join(wire, try KeyPair(), code: invitation.code)
        #expect(again.status == 200 && other.type == "WrongCode")
        let post = try wire.post(device.body())
        let socket = try rig.wire()
        #expect(post.status == 201)
        #expect(try device.open(socket)?.isReady == true)
        #expect(try device.message(socket).content == .push(device.body()))
        await rig.end()
    }

    @Test("is over when the invitation is")
    func expiry() async throws {
        let rig = try await RelayRig.start()
        let invitation = try await rig.onLoop { try await $0.invite(life: 60, uses: 5) }
        await rig.pass(61)
        let late = try join(rig.wire(), try KeyPair(), code: invitation.code)
        #expect(late.type == "WrongCode")
        await rig.end()
    }

    @Test("is open to everybody, or to nobody, where the operator says so")
    func modes() async throws {
        let open = try await RelayRig.start {
            $0.join.mode = .open
            $0.listen.publicURL = "https://relay.example.org/here/"
        }
        let pair = try KeyPair()
        let (device, answer) = try device(try join(open.wire(), pair), pair)
        #expect(answer.pushURL == "https://relay.example.org/here/v1/push")
        let post = try open.wire().post(device.body())
        #expect(post.status == 201)
        let error = try await thrownOnLoop(open) { try await $0.invite(life: nil, uses: 1) }
        #expect(error?.message.contains("mode is open") == true)
        await open.end()
        let closed = try await RelayRig.start { $0.join.mode = .closed }
        let refused = try join(closed.wire(), pair)
        #expect(refused.type == "JoinClosed" && refused.status == 403)
        await closed.end()
    }

    private func thrownOnLoop<Value: Sendable>(
        _ rig: RelayRig, _ work: @escaping @Sendable @LoopActor (RelayService) async throws -> Value
    ) async throws -> LineError? {
        await rig.onLoop { service in
            do {
                _ = try await work(service)
                return nil
            } catch {
                return error as? LineError
            }
        }
    }

    @Test("again gives a token that is not revoked, and none where the device is blocked")
    func again() async throws {
        let rig = try await RelayRig.start { $0.join.mode = .open }
        let pair = try KeyPair()
        let wire = try rig.wire()
        let (first, _) = try device(try join(wire, pair), pair)
        let socket = try rig.wire()
        #expect(try first.open(socket)?.isReady == true)
        socket.send(.revoke)
        _ = try socket.frame()
        let (second, _) = try device(try join(wire, pair), pair)
        #expect(second.token.generation == 1)
        _ = try await rig.onLoop { try await $0.block(second.token.mailbox.label, true) }
        let blocked = try join(wire, pair)
        #expect(blocked.type == "Blocked")
        await rig.end()
    }

    @Test("leaves the code of a blocked device good for another device")
    func blockedWithCode() async throws {
        let rig = try await RelayRig.start()
        let (wire, pair) = (try rig.wire(), try KeyPair())
        let codes = try await rig.onLoop { relay in
            [
                try await relay.invite(life: nil, uses: 1),
                try await relay.invite(life: nil, uses: 1),
            ]
            .map(\.code)
        }
        let (device, _) = try device(try join(wire, pair, code: codes[0]), pair)
        #expect(try device.open(rig.wire())?.isReady == true)
        _ = try await rig.onLoop { try await $0.block(device.token.mailbox.label, true) }
        #expect(try join(wire, pair, code: codes[1]).type == "Blocked")
        let other = try join(wire, try KeyPair(), code: codes[1])
        #expect(other.status == 200)
        await rig.end()
    }

    @Test("is tried ten times an hour by an address")
    func guesses() async throws {
        let rig = try await RelayRig.start()
        let wire = try rig.wire()
        let pair = try KeyPair()
        let code = try #require(InvitationCode(Array(0..<16))).text
        let types = try (0..<12).map { _ in try join(wire, pair, code: code).type }
        #expect(types[..<10].allSatisfy { $0 == "WrongCode" })
        #expect(types[10...].allSatisfy { $0 == "TooManyGuesses" })
        await rig.end()
    }

    @Test("tells the address by which the device came, unless that is none")
    func address() {
        let own: [ListenAddress] = [.unix("/run/x"), .tcp("192.0.2.7", port: 8765)]
        let texts = [
            ("a.example", "/v1/join", true), ("[::1]:9", "/x/y/v1/join", false),
            ("", "/v1/join", false), ("bad\"host", "/v1/join", false), ("a b", "/v1/join", false),
        ].map { PushAddress.text(host: $0.0, path: $0.1, isSecure: $0.2, or: own) }
        #expect(
            texts == [
                "https://a.example/v1/push", "http://[::1]:9/x/y/v1/push",
                "http://192.0.2.7:8765/v1/push", "http://192.0.2.7:8765/v1/push",
                "http://192.0.2.7:8765/v1/push",
            ])
    }
}
