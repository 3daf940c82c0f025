internal import Glibc
internal import HomingBase
internal import HomingCrypto
internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingServer

/// Answers the control socket.
extension RelayService {
    /// Gives an answer to a command, now or later.
    public func answer(_ command: RelayCommand, _ client: OpenRequest) {
        switch command {
        case .status: client.answerLater { () async throws(LineError) in await self.status() }
        case .invite(let life, let uses):
            client.answerLater { () async throws(LineError) in
                try await self.invite(life: life, uses: uses)
            }
        case .mailboxes(let last):
            client.answerLater { () async throws(LineError) in try await self.list(after: last) }
        case .forget(let name):
            client.answerLater { () async throws(LineError) in try await self.forget(name) }
        case .block(let name):
            client.answerLater { () async throws(LineError) in try await self.block(name, true) }
        case .unblock(let name):
            client.answerLater { () async throws(LineError) in try await self.block(name, false) }
        case .rotateKeys:
            client.answerLater { () async throws(LineError) in try await self.rotate() }
        }
    }

    func status() async -> RelayStatus {
        var (statistics, failure): (StoreStatistics?, String?)
        do throws(StoreFailure) {
            statistics = try await store.answer(within: Self.answerTime, clock) {
                store.statistics($0)
            }
        } catch { failure = "\(error)" }
        let (posts, server, devices) = (pushes.counts, serverCounts, devices.counts)
        return RelayStatus(
            version: homingVersion, uptime: clock.now().uptime - started.uptime,
            addresses: addresses.map(\.description),
            secureAddresses: secureAddresses.map(\.description),
            certificateExpires: certificate?.expires,
            isCertificateFailing: certificate?.isFailing ?? false,
            publicURL: configuration.listen.publicURL,
            join: configuration.join.mode.rawValue, maximum: configuration.limits.maximum,
            keys: room.ring.keys.map { Int($0.id) },
            posts: RelayStatus.Posts(
                accepted: posts.accepted, limited: posts.limited, refused: posts.refused,
                failed: posts.failed, late: answers.late),
            sent: self.devices.sent, joined: joins.joined,
            connections: RelayStatus.Connections(
                http: server.connections, sockets: devices.sockets, devices: devices.mailboxes,
                turnedAway: server.turnedAway),
            store: statistics, storeFailure: failure, isStoreFailing: watch.isFailing,
            hasUnlistedProxy: proxies.hasUnlistedProxy,
            haveDevicesOneAddress: proxies.haveDevicesOneAddress, front: forwarder?.report)
    }

    /// Seconds for which an invitation may be good, and devices that may use it.
    private static let life: ClosedRange<Seconds> = 60...2_592_000
    private static let uses = 1...1000

    func invite(life: Double?, uses: Int) async throws(LineError) -> InvitationReport {
        let life = life ?? configuration.join.codeLife
        guard Self.life.contains(life), Self.uses.contains(uses) else {
            throw LineError(
                code: EX_USAGE, "the invitation's life or number of uses is out of range",
                hint: "choose 1 minute to 30 days, and 1 to \(Self.uses.upperBound) machines")
        }
        guard configuration.join.mode == .code else {
            let mode = configuration.join.mode.rawValue
            throw LineError(
                code: EX_CONFIG, "invitations are of no use: [join] mode is \(mode)",
                hint: "set mode = code, and restart homing-relay")
        }
        guard let code = InvitationCode(RandomToken.bytes(InvitationCode.size)) else {
            throw LineError(code: EXIT_FAILURE, "no code could be made")
        }
        let hash = room.ring.blindName(code.canonical, as: .invitation)
        let expires = room.now + Int64(life * 1000)
        try await asked { [store] answer in
            store.addInvitation(hash, expires: expires, uses: uses, answer)
        }
        return InvitationReport(
            code: code.text, expires: Seconds(expires) / 1000, uses: uses,
            publicURL: configuration.listen.publicURL, fingerprint: forwarder?.fingerprint)
    }

    func rotate() async throws(LineError) -> RotationReport {
        guard let keys else {
            throw LineError(code: EX_UNAVAILABLE, "this relay has no key file to replace")
        }
        let before = room.ring
        do {
            let ring = try before.rotated()
            if let shared { try await shared.replace(by: ring) } else { try keys.write(ring) }
            rotateKeys(ring)
            let ids = ring.keys.map { Int($0.id) }
            let dropped = before.keys.map { Int($0.id) }.first { !ids.contains($0) }
            Log.notice("key \(ids[0]) signs tokens from now on")
            return RotationReport(
                signing: ids[0], former: ids[1], dropped: dropped, path: keys.path)
        } catch {
            learner?.keysChanged()
            throw LineError(code: EX_CANTCREAT, "the keys were not replaced: \(error)")
        }
    }

    /// Seconds that an operator waits for the store.
    private static let patience: Seconds = 10

    /// Asks the store.
    func asked<Value: Sendable>(
        _ ask: (@escaping StoreAnswer<Value>) -> Void
    ) async throws(LineError) -> Value {
        do throws(StoreFailure) {
            return try await store.answer(within: Self.patience, clock, ask)
        } catch {
            throw LineError(
                code: EX_TEMPFAIL, "the store failed: \(error)",
                hint: "try again, and read: sudo journalctl -u homing-relay")
        }
    }
}
