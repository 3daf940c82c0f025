import HomingBase
import HomingCrypto
import HomingRelayProtocol
import HomingRuntime
import HomingSQLite
import HomingServer
import HomingTestKit
import Testing

@testable import HomingRelay

/// A relay in this process, on real sockets and a played clock.
struct RelayRig: Sendable {
    let folder: TemporaryFolder
    let clock: VirtualClock
    let service: RelayService
    let store: SQLiteMailboxes
    let keys: KeyFile
    let address: ListenAddress

    static func start(
        _ change: @Sendable (inout RelayConfiguration) -> Void = { _ in }
    ) async throws -> RelayRig {
        LoopThread.start()
        let folder = try TemporaryFolder()
        var configuration = RelayConfiguration()
        configuration.listen.addresses = [.tcp("127.0.0.1", port: 0)]
        change(&configuration)
        return try await start(in: folder, configuration)
    }

    @LoopActor private static func start(
        in folder: TemporaryFolder, _ configuration: RelayConfiguration
    ) async throws -> RelayRig {
        let clock = VirtualClock(unixTime: Seconds(noon / 1000))
        let keys = KeyFile(path: folder.file("relay.keys"))
        let ring = try keys.make().ring
        let store = try await SQLiteMailboxes.open(
            folder.file("relay.db"), limits: configuration.storeLimits, clock: clock)
        let service = try RelayService(
            configuration, ring: ring, keys: keys, store: store, clock: clock)
        return RelayRig(
            folder: folder, clock: clock, service: service, store: store, keys: keys,
            address: try #require(service.addresses.first))
    }

    func wire() throws -> Wire { try Wire(address) }

    /// Does something on the loop.
    func onLoop<Value: Sendable>(
        _ work: @escaping @Sendable @LoopActor (RelayService) async -> Value
    ) async -> Value {
        await spawn { await work(service) }.value
    }

    /// The same with what may fail.
    func onLoop<Value: Sendable>(
        _ work: @escaping @Sendable @LoopActor (RelayService) async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error> = await spawn {
            do { return .success(try await work(service)) } catch { return .failure(error) }
        }.value
        return try result.get()
    }

    /// Lets the loop see what has been sent to it.
    func settle() async {
        for _ in 0..<12 { await spawn {}.value }
    }

    /// Lets time pass on the played clock.
    func pass(_ seconds: Seconds) async {
        await settle()
        await onLoop { _ in clock.pass(seconds) }
        await settle()
    }

    /// Waits until something is so, for 20 s at the most.
    func wait(
        _ what: String, until isSo: @escaping @Sendable @LoopActor (RelayService) -> Bool
    ) async throws {
        let begin = SystemClock.now().uptime
        while await !onLoop(isSo) {
            try #require(SystemClock.now().uptime - begin < 20, "\(what)")
        }
    }

    /// A device with a token of this relay's.
    func device(generation: UInt16 = 0, pair: KeyPair? = nil) async throws -> RelayDevice {
        let pair = try pair ?? KeyPair()
        let ring = await onLoop { $0.room.ring }
        let token = try #require(ring.token(for: pair.publicKey, generation: generation))
        let key = try #require(ring.parcelKey(of: token.mailbox, keyID: token.keyID))
        return RelayDevice(pair: pair, token: token, parcelKeys: [token.keyID: key])
    }

    /// Reads what the store holds.
    func statistics() async throws -> StoreStatistics {
        try #require(
            await onLoop { service in
                try? await service.store.answer { service.store.statistics($0) }
            })
    }

    /// Waits until so many messages wait.
    func wait(forMessages count: Int) async throws {
        let begin = SystemClock.now().uptime
        while try await statistics().messages != count {
            try #require(SystemClock.now().uptime - begin < 20, "messages")
        }
    }

    /// Keeps the writer busy from now on.
    func hold() async -> HeldDisk {
        let disk = HeldDisk()
        await onLoop { _ in
            await withCheckedContinuation { continuation in
                store.submit({ (_: Result<Void, StoreFailure>) in }) { (_) throws(DatabaseError) in
                    continuation.resume()
                    disk.wait()
                    return .success(())
                }
            }
        }
        return disk
    }

    /// Ends the relay; time passes until it has ended.
    func end() async {
        let ended = Flag()
        spawn {
            await service.end()
            ended.raise()
        }
        while await !onLoop({ _ in ended.isRaised }) { await pass(1) }
    }

    @LoopActor private final class Flag {
        private(set) var isRaised = false
        nonisolated init() {}
        func raise() { isRaised = true }
    }
}

/// A device as its own program would be.
struct RelayDevice {
    let pair: KeyPair
    var token: PushToken
    var parcelKeys: [UInt8: DerivedKey]

    var opener: ParcelOpener { ParcelOpener(pair: pair, parcelKeys: parcelKeys) }

    /// Returns the body that Home Assistant posts for the device.
    ///
    /// - Parameter more: members as JSON.
    func body(_ message: String = "Somebody is at the door", _ more: String = "") -> [UInt8] {
        let head = "{\"message\":\"\(message)\",\"push_token\":\"\(token.text)\""
        return Array((head + (more.isEmpty ? "" : ",\(more)") + "}").utf8)
    }

    /// Opens the socket as far as the challenge.
    ///
    /// - Parameter more: further fields of the request.
    func knock(_ wire: Wire, fields more: [String] = []) throws -> [UInt8] {
        let answer = try wire.exchange(
            "GET", RelayPath.mailbox,
            fields: [
                "Authorization: Bearer \(token.text)", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ] + more)
        try #require(answer.status == 101, "\(answer.status) \(answer.type ?? "")")
        guard case .hello(version: 1, let now, let challenge) = try wire.frame() else {
            throw ParcelFault.malformed
        }
        try #require(now >= noon)
        return challenge
    }

    /// Opens the mailbox; gives what the relay says.
    func open(_ wire: Wire) throws -> RelayFrame? {
        wire.send(.proof(try opener.proof(of: try knock(wire))))
        return try wire.frame()
    }

    /// The next message, opened.
    func message(_ wire: Wire) throws -> Parcel {
        let frame = try wire.frame()
        guard case .message(let id, let now, let sealed) = frame else {
            try #require(Bool(false), "\(frame.map { "\($0)" } ?? "closed")")
            throw ParcelFault.malformed
        }
        let parcel = try opener.open(sealed, in: token.mailbox, at: now)
        try #require(parcel.id == id)
        return parcel
    }

    /// Takes a new token from a renewal.
    mutating func useRenewal(_ renewal: [UInt8]?) throws {
        let grant = try opener.renewal(try #require(renewal))
        token = grant.token
        parcelKeys[grant.token.keyID] = grant.parcelKey
    }
}

extension RelayFrame {
    var isReady: Bool { if case .ready = self { true } else { false } }
    var renewal: [UInt8]? { if case .ready(_, _, let renewal) = self { renewal } else { nil } }
}
