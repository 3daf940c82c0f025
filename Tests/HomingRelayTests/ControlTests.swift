import HomingBase
import HomingJSON
import HomingRelayProtocol
import HomingRuntime
import HomingServer
import HomingSocket
import HomingTestKit
import Testing

@testable import HomingRelay

/// Questions of the operator over the control socket.
@Suite("A relay's control", .serialized)
struct ControlTests {
    private func client(
        _ rig: RelayRig
    ) async throws -> (LineClient<RelayCommand>, LineServer<RelayCommand>) {
        let path = rig.folder.file("control.sock")
        let server = try await rig.onLoop { service in
            Result { () throws(SystemError) in
                try LineServer<RelayCommand>(path: path) { service.answer($0, $1) }
            }
        }.get()
        return (try LineClient(path: path), server)
    }

    @Test("writes each command and reads it again")
    func coding() throws {
        let commands: [RelayCommand] = [
            .status, .invite(life: 60, uses: 3), .invite(life: nil, uses: 1),
            .mailboxes(after: nil), .mailboxes(after: "00"), .forget("a"), .block("b"),
            .unblock("c"), .rotateKeys,
        ]
        for command in commands {
            let parameters = try command.parameters.map { try JSONValue(encoding: $0) } ?? .null
            #expect(try RelayCommand(command.method, parameters) == command)
            #expect(!command.method.isForEveryone)
        }
        #expect(throws: (any Error).self) { try RelayCommand(.block, .null) }
        #expect(Set(commands.map(\.method)) == Set(RelayMethod.allCases))
    }

    @Test("says how the relay is")
    func status() async throws {
        let rig = try await RelayRig.start { $0.limits.maximum = 1 }
        let (client, server) = try await client(rig)
        let device = try await rig.device()
        let wire = try rig.wire()
        for _ in 0..<3 { _ = try wire.post(device.body()) }
        _ = try wire.post(Array("{}".utf8))
        let socket = try rig.wire()
        #expect(try device.open(socket)?.isReady == true)
        _ = try device.message(socket)
        await rig.pass(5)
        let status = try client.call(.status, returning: RelayStatus.self)
        #expect(status.version == homingVersion && status.uptime >= 5 && status.join == "code")
        #expect(status.addresses == [rig.address.description] && status.keys == [1])
        let posts = status.posts
        #expect([posts.accepted, posts.limited, posts.refused, posts.failed] == [1, 2, 1, 0])
        #expect(status.connections.sockets == 1 && status.connections.devices == 1)
        #expect(status.store?.messages == 2 && status.store?.mailboxes == 1)
        #expect((status.store?.commits ?? 0) > 3 && !status.isStoreFailing)
        withExtendedLifetime(socket) {}
        await rig.onLoop { _ in server.shutdown() }
        await rig.end()
    }

    @Test("says that nearly all machines come from one address, as through an unlisted proxy")
    func oneAddress() async throws {
        let rig = try await RelayRig.start()
        for number in 0..<Sightings<Int, Int>.household {
            let isWarned = await rig.onLoop { await $0.status().haveDevicesOneAddress }
            #expect(!isWarned, "\(number)")
            let wire = try rig.wire()
            _ = try await rig.device().knock(wire)
        }
        #expect(await rig.onLoop { await $0.status().haveDevicesOneAddress })
        await rig.end()
    }

    @Test("lists, blocks and forgets mailboxes by their labels or ids")
    func mailboxes() async throws {
        let rig = try await RelayRig.start()
        let (client, server) = try await client(rig)
        let (device, other) = try await (rig.device(), rig.device())
        let (wire, socket) = (try rig.wire(), try rig.wire())
        for device in [device, other] { _ = try wire.post(device.body()) }
        #expect(try device.open(socket)?.isReady == true)
        _ = try device.message(socket)
        let list = try client.call(.mailboxes(after: nil), returning: MailboxList.self)
        #expect(list.mailboxes.count == 2 && list.next == nil)
        let label = device.token.mailbox.label
        let report = try #require(list.mailboxes.first { $0.label == label })
        #expect(report.isConnected == true && report.waiting == 1 && !report.isBlocked)
        let named = try client.call(.block(label), returning: MailboxReport.Named.self)
        #expect(named.label == label)
        #expect(try socket.frame() == .refused(.blocked))
        let (refused, taken) = (try wire.post(device.body()), try wire.post(other.body()))
        #expect(refused.type == "Blocked" && taken.status == 201)
        let answer = try wire.exchange(
            "GET", RelayPath.mailbox, fields: ["Authorization: Bearer \(device.token.text)"])
        #expect(answer.status == 426)
        _ = try client.call(.forget(report.id), returning: MailboxReport.Named.self)
        let after = try client.call(.mailboxes(after: nil), returning: MailboxList.self)
        #expect(after.mailboxes.first { $0.label == label }?.isBlocked == true)
        #expect(after.mailboxes.first { $0.label == label }?.waiting == 0)
        _ = try client.call(.unblock(label), returning: MailboxReport.Named.self)
        let unknown = try thrown(LineError.self) {
            try client.call(.block("00000000"), returning: MailboxReport.Named.self)
        }
        #expect(unknown?.message == "there is no mailbox \"00000000\"")
        await rig.onLoop { _ in server.shutdown() }
        await rig.end()
    }

    @Test("replaces keys: the tokens of the last one stay good until the next time")
    func rotation() async throws {
        let rig = try await RelayRig.start()
        let (client, server) = try await client(rig)
        var device = try await rig.device()
        let (wire, socket) = (try rig.wire(), try rig.wire())
        let old = device.body("old")
        #expect(try device.open(socket)?.isReady == true)
        let first = try client.call(.rotateKeys, returning: RotationReport.self)
        #expect([first.signing, first.former] == [2, 1] && first.dropped == nil)
        guard case .bye(60...600, _) = try socket.frame() else { return #expect(Bool(false)) }
        #expect(try rig.keys.read().keys.map(\.id) == [2, 1])
        let stillGood = try wire.post(old)
        let again = try rig.wire()
        try device.useRenewal(try device.open(again)?.renewal)
        #expect(stillGood.status == 201 && device.token.keyID == 2)
        #expect(try device.message(again).content == .push(old))
        let second = try client.call(.rotateKeys, returning: RotationReport.self)
        #expect([second.signing, second.former, second.dropped] == [3, 2, 1])
        let (bad, good) = (try wire.post(old), try wire.post(device.body("new")))
        #expect(bad.type == "InvalidToken" && good.status == 201)
        await rig.onLoop { _ in server.shutdown() }
        await rig.end()
    }

    @Test("makes no invitation that nobody can use, and hides the code of one")
    func invitations() async throws {
        let rig = try await RelayRig.start()
        let (client, server) = try await client(rig)
        let invitation = try client.call(
            .invite(life: 3600, uses: 2), returning: InvitationReport.self)
        #expect(InvitationCode(typed: invitation.code) != nil && invitation.uses == 2)
        #expect(!"\(invitation)".contains(invitation.code))
        for command in [RelayCommand.invite(life: 1, uses: 1), .invite(life: 60, uses: 0)] {
            let error = try thrown(LineError.self) {
                try client.call(command, returning: InvitationReport.self)
            }
            #expect(error?.hint?.contains("30 days") == true)
        }
        await rig.onLoop { _ in server.shutdown() }
        await rig.end()
    }
}
