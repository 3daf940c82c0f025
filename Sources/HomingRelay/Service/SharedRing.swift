public import HomingRelayProtocol
public import HomingRuntime

/// The ring of a relay that shares its store with others: the newest ring of all of them.
///
/// A ring that is learned is written into the file of the keys, where that may be written. So a
/// relay remembers the newest version also across its own restarts.
@LoopActor public final class SharedRing {
    private let shelf: any RingShelf
    private let keys: KeyFile
    /// The newest ring that this relay has seen.
    public private(set) var ring: TokenRing
    /// The ring that this relay is putting into the engine.
    private var coming: TokenRing?

    private init(_ shelf: any RingShelf, _ keys: KeyFile, _ ring: TokenRing) {
        self.shelf = shelf
        self.keys = keys
        self.ring = ring
    }

    /// Takes over the ring in the engine, or puts the first ring there.
    ///
    /// - Throws: `.unfit` where other relays have other keys.
    public static func join(
        _ shelf: any RingShelf, _ keys: KeyFile, _ ring: TokenRing
    ) async throws(StoreFailure) -> SharedRing {
        let shared = SharedRing(shelf, keys, ring)
        try await shared.learn()
        return shared
    }

    /// Looks whether a relay with this ring could join, and changes nothing.
    ///
    /// - Throws: `.unfit` where other relays have other keys.
    public static func examine(
        _ shelf: any RingShelf, _ keys: KeyFile, _ ring: TokenRing
    ) async throws(StoreFailure) {
        let shared = SharedRing(shelf, keys, ring)
        switch RingDecision(own: ring, sealed: try await shared.sealedRing()) {
        case .adopt, .publish, .keep: break
        case .rival: throw shared.rival
        case .foreign: throw shared.foreign
        }
    }

    /// Looks at the engine's ring, and returns whether this relay's is another now.
    @discardableResult
    func learn() async throws(StoreFailure) -> Bool {
        // Another relay may put a ring there meanwhile.
        for _ in 0..<3 {
            let sealed = try await sealedRing()
            switch RingDecision(own: ring, sealed: sealed) {
            case .keep: return false
            case .adopt(let newer):
                // The word of one's own replacement comes before its answer.
                if coming?.isSame(as: newer) == true { return false }
                ring = newer
                write(newer)
                return true
            case .publish:
                if try await put(ring, replacing: sealed) { return false }
            case .rival: throw rival
            case .foreign: throw foreign
            }
        }
        throw StoreFailure(.failed, "the keys in the engine change all the time")
    }

    private var foreign: StoreFailure {
        StoreFailure(
            .unfit,
            "the engine holds keys of a relay with another \(keys.path): copy relay.keys "
                + "from that relay, as all relays of an engine need the same")
    }

    private var rival: StoreFailure {
        StoreFailure(
            .unfit,
            "the engine holds other keys than \(keys.path), and neither are newer: copy relay.keys "
                + "from a relay that runs; or, to keep the keys of a relay that runs, run there: "
                + "homing-relay rotate-key")
    }

    /// Replaces the ring of all relays. After a failure, `learn` takes over what another relay has put
    /// there.
    ///
    /// - Parameter new: made of `ring`.
    func replace(by new: TokenRing) async throws(StoreFailure) {
        guard keys.isWritable else {
            throw StoreFailure(
                .unfit,
                "\(keys.path) is a credential of systemd's, which the relay cannot change: "
                    + "keep relay.keys in the relay's own folder to replace keys")
        }
        guard coming == nil else { throw Self.raced }
        coming = new
        defer { coming = nil }
        let sealed = try await sealedRing()
        switch RingDecision(own: ring, sealed: sealed) {
        case .keep, .publish, .rival: break
        case .adopt: throw Self.raced
        case .foreign: throw foreign
        }
        guard try await put(new, replacing: sealed) else { throw Self.raced }
        ring = new
        write(new)
    }

    private static let raced = StoreFailure(
        .failed, "another relay has replaced the keys just now: look, and try again")

    private func write(_ ring: TokenRing) {
        guard keys.isWritable else { return }
        do throws(KeyFileError) { try keys.write(ring) } catch {
            Log.warning("the new keys are in the engine alone: \(error)")
        }
    }

    private func sealedRing() async throws(StoreFailure) -> [UInt8]? {
        let result = await withCheckedContinuation { continuation in
            shelf.sealedRing { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    private func put(
        _ ring: TokenRing, replacing former: [UInt8]?
    ) async throws(StoreFailure) -> Bool {
        let result = await withCheckedContinuation { continuation in
            shelf.putRing(ring.sealed, replacing: former) {
                continuation.resume(returning: $0)
            }
        }
        return try result.get()
    }
}
