import HomingBase
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingRelay

/// Shelf that holds what lies in an engine, without an engine.
@LoopActor private final class PlayedShelf: RingShelf {
    var lies: [UInt8]?
    private(set) var looks = 0
    /// Work that happens before the answer of `putRing`.
    var whenPut: @LoopActor () async -> Void = {}

    func sealedRing(_ answer: @escaping StoreAnswer<[UInt8]?>) {
        looks += 1
        answer(.success(lies))
    }

    func putRing(
        _ sealed: [UInt8], replacing former: [UInt8]?, _ answer: @escaping StoreAnswer<Bool>
    ) {
        guard former == lies else { return answer(.success(false)) }
        lies = sealed
        spawn { [whenPut] in
            await whenPut()
            answer(.success(true))
        }
    }
}

/// The keys of relays that share an engine.
@Suite("The ring that relays share")
struct SharedRingTests {
    private let folder: TemporaryFolder

    init() throws {
        LoopThread.start()
        folder = try TemporaryFolder()
    }

    /// Two relays with copies of one file.
    @LoopActor private func pair() throws -> (first: KeyFile, second: KeyFile, ring: TokenRing) {
        let first = KeyFile(path: folder.file("first.keys"))
        let second = KeyFile(path: folder.file("second.keys"))
        let ring = try first.make().ring
        try second.write(ring)
        return (first, second, ring)
    }

    private func ids(_ ring: TokenRing) -> [UInt8] { ring.keys.map(\.id) }

    @Test("is replaced for all relays, and remembered in the file of each")
    @LoopActor func rotation() async throws {
        let shelf = PlayedShelf()
        let (first, second, ring) = try pair()
        let one = try await SharedRing.join(shelf, first, ring)
        let other = try await SharedRing.join(shelf, second, ring)
        try await one.replace(by: one.ring.rotated())
        #expect(try await other.learn())
        #expect(ids(other.ring) == [2, 1] && other.ring.version == 1)
        #expect(try second.read().version == 1 && ids(try second.read()) == [2, 1])
        #expect(try await !other.learn())
    }

    @Test("is looked at at a bounded pace, however often somebody says that it has changed")
    @LoopActor func flood() async throws {
        let (shelf, clock) = (PlayedShelf(), VirtualClock())
        let (first, second, ring) = try pair()
        let one = try await SharedRing.join(shelf, first, ring)
        let other = try await SharedRing.join(shelf, second, ring)
        var adopted: [[UInt8]] = []
        let learner = KeyLearner(other, clock) { adopted.append(self.ids($0)) }
        var before = shelf.looks
        for _ in 0..<1000 { learner.keysChanged() }
        for _ in 0..<20 { await spawn {}.value }
        #expect(shelf.looks == before + 1)
        try await one.replace(by: one.ring.rotated())
        // That was a look of the other relay's.
        before += 1
        learner.keysChanged()
        clock.pass(0.2)
        for _ in 0..<20 { await spawn {}.value }
        #expect(shelf.looks == before + 1)
        clock.pass(0.2)
        for _ in 0..<20 { await spawn {}.value }
        #expect(shelf.looks == before + 2 && adopted == [[2, 1]])
        clock.pass(10)
        for _ in 0..<20 { await spawn {}.value }
        #expect(shelf.looks == before + 2 && clock.isIdle)
    }

    @Test("is not replaced where the relay could not keep the new keys")
    @LoopActor func credential() async throws {
        let shelf = PlayedShelf()
        let (first, _, ring) = try pair()
        let keys = KeyFile(path: first.path, isWritable: false)
        let shared = try await SharedRing.join(shelf, keys, ring)
        let failure = try await thrown(StoreFailure.self) {
            try await shared.replace(by: ring.rotated())
        }
        #expect(failure?.description.contains("credential") == true)
        #expect(shelf.version(ring) == 0 && shared.ring.version == 0)
    }

    @Test("is not replaced twice at once: who comes second learns the other's")
    @LoopActor func race() async throws {
        let shelf = PlayedShelf()
        let (first, second, ring) = try pair()
        let one = try await SharedRing.join(shelf, first, ring)
        let other = try await SharedRing.join(shelf, second, ring)
        try await one.replace(by: ring.rotated())
        let failure = try await thrown(StoreFailure.self) {
            try await other.replace(by: ring.rotated())
        }
        #expect(failure?.description.contains("another relay") == true)
        // It is this relay's room that has to learn them: the failed command has not.
        #expect(other.ring.version == 0)
        #expect(try await other.learn())
        #expect(other.ring.version == 1 && ids(other.ring) == ids(one.ring))
    }

    @Test("is not taken back to an older one by who can write into the engine")
    @LoopActor func rollback() async throws {
        let shelf = PlayedShelf()
        let (first, _, ring) = try pair()
        let one = try await SharedRing.join(shelf, first, ring)
        let old = try #require(shelf.lies)
        try await one.replace(by: ring.rotated())
        shelf.lies = old
        #expect(try await !one.learn())
        #expect(one.ring.version == 1 && shelf.version(ring) == 1)
        // Nor after a restart: the file remembers.
        shelf.lies = old
        let again = try await SharedRing.join(shelf, first, try first.read())
        #expect(again.ring.version == 1 && shelf.version(ring) == 1)
    }

    @Test("is not taken for another relay's where the word of it comes before the answer")
    @LoopActor func echo() async throws {
        let shelf = PlayedShelf()
        let (first, _, ring) = try pair()
        let shared = try await SharedRing.join(shelf, first, ring)
        var learned: [Bool] = []
        shelf.whenPut = { learned.append((try? await shared.learn()) ?? true) }
        try await shared.replace(by: ring.rotated())
        learned.append(try await shared.learn())
        #expect(learned == [false, false] && shared.ring.version == 1)
    }

    @Test("is refused where two rings of one version have different keys, until one is replaced")
    @LoopActor func rivals() async throws {
        let shelf = PlayedShelf()
        let (first, second, ring) = try pair()
        let one = try await SharedRing.join(shelf, first, ring)
        try await one.replace(by: ring.rotated())
        // A copy of the file from before, with a rotation of its own.
        let rival = try ring.rotated()
        try second.write(rival)
        let failure = try await thrown(StoreFailure.self) {
            try await SharedRing.join(shelf, second, rival)
        }
        #expect(failure?.kind == .unfit)
        #expect(failure?.description.contains("homing-relay rotate-key") == true)
        let examined = try await thrown(StoreFailure.self) {
            try await SharedRing.examine(shelf, second, rival)
        }
        #expect(examined == failure)
        try await SharedRing.examine(shelf, first, ring)
        #expect(shelf.version(ring) == 1 && one.ring.version == 1)
        try await one.replace(by: one.ring.rotated())
        let joined = try await SharedRing.join(shelf, second, rival)
        #expect(joined.ring.isSame(as: one.ring) && joined.ring.version == 2)
    }

    @Test("is refused if a relay with other keys has made it, or nobody has")
    @LoopActor func foreign() async throws {
        let shelf = PlayedShelf()
        let (first, _, ring) = try pair()
        _ = try await SharedRing.join(shelf, first, ring)
        let stranger = try TokenRing.random()
        let failure = try await thrown(StoreFailure.self) {
            try await SharedRing.join(shelf, first, stranger)
        }
        #expect(failure?.kind == .unfit)
        #expect(try TokenRing.random().opened(ring.sealed) == nil)
        let sealed = ring.sealed
        #expect(ring.opened(sealed)?.version == 0)
        for place in sealed.indices.striding(by: 7) {
            var changed = sealed
            changed[place] ^= 1
            #expect(ring.opened(changed) == nil, "byte \(place)")
        }
        #expect(ring.opened([]) == nil && ring.opened(Array(sealed.dropLast())) == nil)
    }
}

extension PlayedShelf {
    /// The version of the ring that lies there.
    func version(_ ring: TokenRing) -> Int? { lies.flatMap { ring.opened($0)?.version } }
}

extension Range<Int> {
    fileprivate func striding(by step: Int) -> StrideTo<Int> {
        stride(from: lowerBound, to: upperBound, by: step)
    }
}
