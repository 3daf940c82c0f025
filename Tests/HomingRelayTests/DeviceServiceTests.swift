import HomingBase
import HomingCrypto
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingRelay

/// Devices on real sockets.
@Suite("A relay's devices", .serialized)
struct DeviceServiceTests {
    @Test("get another token when they revoke theirs, and the old one is worth nothing")
    func revocation() async throws {
        let rig = try await RelayRig.start()
        var device = try await rig.device()
        let (sender, socket) = (try rig.wire(), try rig.wire())
        let old = device.body()
        #expect(try device.open(socket)?.isReady == true)
        socket.send(.revoke)
        try device.useRenewal(try socket.frame()?.renewal)
        #expect(device.token.generation == 1)
        let refused = try sender.post(old)
        let checked = try sender.post(old, to: RelayPath.check)
        let taken = try sender.post(device.body())
        #expect([refused.status, checked.status, taken.status] == [403, 403, 201])
        #expect(refused.type == "RevokedToken" && refused.isReadable)
        #expect(try device.message(socket).content == .push(device.body()))
        await rig.end()
    }

    @Test("get the new token late, too, if they missed it")
    func missedRenewal() async throws {
        let rig = try await RelayRig.start()
        var device = try await rig.device()
        do {
            let socket = try rig.wire()
            _ = try device.open(socket)
            socket.send(.revoke)
            _ = try socket.frame()
        }
        let again = try rig.wire()
        try device.useRenewal(try device.open(again)?.renewal)
        #expect(device.token.generation == 1)
        let post = try rig.wire().post(device.body())
        #expect(post.status == 201)
        await rig.end()
    }

    @Test("are found out without the key, and sent away without an answer")
    func proof() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let (thief, silent, wrong) = (try rig.wire(), try rig.wire(), try rig.wire())
        _ = try device.knock(thief)
        thief.send(.proof(Array(repeating: 7, count: 32)))
        #expect(try thief.frame() == .refused(.wrongProof))
        #expect(try thief.frame() == nil)
        _ = try device.knock(wrong)
        wrong.send(WebSocketText.frame("no frame"))
        #expect(try wrong.frame() == .refused(.wrongFrame))
        _ = try device.knock(silent)
        await rig.pass(9)
        #expect(await rig.onLoop { $0.devices.counts.sockets } == 1)
        await rig.pass(2)
        #expect(try silent.frame() == .refused(.tooSlow))
        #expect(await rig.onLoop { $0.devices.counts.sockets } == 0)
        await rig.end()
    }

    @Test("have ten seconds each, whoever came before")
    func deadlines() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        for _ in 0..<20 {
            let early = try rig.wire()
            _ = try device.knock(early)
        }
        try await rig.wait("all gone") { $0.devices.counts.sockets == 0 }
        await rig.pass(9)
        let wires = try (0..<20).map { _ in try rig.wire() }
        let challenges = try wires.map { try device.knock($0) }
        await rig.pass(2)
        for (wire, challenge) in zip(wires, challenges).prefix(4) {
            wire.send(.proof(try device.opener.proof(of: challenge)))
            #expect(try wire.frame()?.isReady == true)
        }
        let left = await rig.onLoop { $0.devices.counts.sockets }
        #expect(left == 20)
        withExtendedLifetime(wires) {}
        await rig.end()
    }

    @Test("are told how many messages were dropped, once they have been")
    func dropped() async throws {
        let rig = try await RelayRig.start { $0.limits.messages = 3 }
        let device = try await rig.device()
        let (sender, socket) = (try rig.wire(), try rig.wire())
        for number in 0..<5 { _ = try sender.post(device.body("number \(number)")) }
        guard case .ready(waiting: 3, _, _) = try device.open(socket) else {
            return #expect(Bool(false))
        }
        let first = try (0..<3).map { _ in try device.message(socket) }
        #expect(first.map(\.content) == (2..<5).map { .push(device.body("number \($0)")) })
        let notice = try device.message(socket)
        #expect(notice.content == .notice(.dropped(2)))
        socket.send(.acknowledge((first + [notice]).map(\.id)))
        try await rig.wait(forMessages: 0)
        let again = try rig.wire()
        guard case .ready(waiting: 0, _, _) = try device.open(again) else {
            return #expect(Bool(false))
        }
        await rig.end()
    }

    @Test("get within a minute what they were not woken for")
    func look() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let socket = try rig.wire()
        #expect(try device.open(socket)?.isReady == true)
        let parcel = try await rig.onLoop { service in
            Result {
                let letter = Letter(
                    try PushRequest(body: device.body("unnoticed")), for: device.token)
                return try service.room.deposit(letter)
            }
        }.get()
        let kept = await rig.onLoop { service in
            try? await service.store.answer { service.store.accept(parcel, $0) }
        }
        #expect(kept?.isStored == true)
        await rig.pass(61)
        #expect(try device.message(socket).content == .push(device.body("unnoticed")))
        await rig.end()
    }

    @Test("may have four sockets, the fifth of which ends the first")
    func sockets() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let wires = try (0..<5).map { _ in try rig.wire() }
        for wire in wires { #expect(try device.open(wire)?.isReady == true) }
        guard case .bye(60, _) = try wires[0].frame() else { return #expect(Bool(false)) }
        _ = try rig.wire().post(device.body())
        for wire in wires[1...] {
            #expect(try device.message(wire).content == .push(device.body()))
        }
        #expect(await rig.onLoop { $0.devices.counts.mailboxes } == 1)
        // Until here they are connected.
        withExtendedLifetime(wires) {}
        await rig.end()
    }

    @Test("are sent away when the relay ends, to come back spread over a minute")
    func farewell() async throws {
        let rig = try await RelayRig.start()
        let devices = try await [rig.device(), rig.device(), rig.device()]
        let wires = try devices.map { device in
            let wire = try rig.wire()
            try #require(device.open(wire)?.isReady == true)
            return wire
        }
        let sender = try rig.wire()
        let accepted = try sender.post(devices[0].body())
        await rig.end()
        #expect(accepted.status == 201)
        for wire in wires {
            var frame = try wire.frame()
            if case .message = frame { frame = try wire.frame() }
            guard case .bye(let seconds, let why) = frame else { return #expect(Bool(false)) }
            #expect((1...60).contains(seconds) && why == RelayRefusal.ending.description)
            #expect(try wire.frame() == nil)
        }
        // The file is closed, and has what was accepted.
        let file = try MailboxFile(rig.folder.file("relay.db"), limits: StoreLimits())
        #expect(try file.statistics().messages == 1)
        #expect(!Wire.reaches(rig.address))
    }

    @Test("have their messages sealed with a pair that is forgotten after its hour")
    func hour() async throws {
        let rig = try await RelayRig.start()
        let device = try await rig.device()
        let sender = try rig.wire()
        _ = try sender.post(device.body())
        let before = await rig.onLoop { $0.room.remembersPair }
        await rig.pass(3500)
        let during = await rig.onLoop { $0.room.remembersPair }
        await rig.pass(110)
        let after = await rig.onLoop { $0.room.remembersPair }
        #expect(before && during && !after)
        let post = try rig.wire().post(device.body())
        #expect(post.status == 201)
        await rig.end()
    }
}
