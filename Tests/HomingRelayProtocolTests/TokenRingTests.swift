import HomingCrypto
import HomingTestKit
import Testing

@testable import HomingRelayProtocol

@Suite struct TokenRingTests {
    private func key(_ id: UInt8) throws -> RingKey { RingKey(id: id, key: try SecretKey()) }

    private func token(_ ring: TokenRing, _ pair: KeyPair) throws -> PushToken {
        try #require(ring.token(for: pair.publicKey, generation: 1))
    }

    @Test("A ring has one key or two, of different ids")
    func shapes() throws {
        let names = try SecretKey()
        let (one, two, three) = (try key(1), try key(2), try key(3))
        #expect(TokenRing([one], names: names) != nil)
        #expect(TokenRing([one, two], names: names)?.keys.map(\.id) == [1, 2])
        #expect(TokenRing([], names: names) == nil)
        #expect(TokenRing([one, two, three], names: names) == nil)
        #expect(TokenRing([one, try key(1)], names: names) == nil)
    }

    @Test("After one rotation a token is good and old, after two it is nobody's")
    func rotation() throws {
        let pair = try KeyPair()
        let first = try TokenRing.random()
        let token = try token(first, pair)
        let second = try first.rotated()
        #expect(second.isOwn(token) && second.isOld(token))
        let next = try self.token(second, pair)
        #expect(second.isOwn(next) && !second.isOld(next) && !first.isOwn(next))
        let third = try second.rotated()
        #expect(!third.isOwn(token) && third.isOwn(next) && third.isOld(next))
        #expect(third.parcelKey(of: token.mailbox, keyID: token.keyID) == nil)
    }

    @Test("Rotation finds an id that is free, also behind 255")
    func ids() throws {
        var ring = try TokenRing.random(id: 254)
        var ids: [[UInt8]] = []
        for _ in 0..<3 {
            ring = try ring.rotated()
            ids.append(ring.keys.map(\.id))
        }
        #expect(ids == [[255, 254], [0, 255], [1, 0]])
        let odd = try #require(TokenRing([try key(1), try key(2)], names: try SecretKey()))
        #expect(try odd.rotated().keys.map(\.id) == [3, 1])
    }

    @Test("The keys of each use are those of the vector")
    func vectors() throws {
        let ring = try Vector.ring()
        let mailbox = MailboxID(of: try Vector.device().publicKey)
        #expect(ring.parcelKey(of: mailbox, keyID: 7)?.hexadecimal == Vector.parcelKey)
        #expect(ring.parcelKey(of: mailbox, keyID: 8) == nil)
        for (use, name) in [
            (TokenRing.Use.tag, Vector.tagOfDoor), (.confirmID, Vector.confirmIDOfDoor),
        ] { #expect(hexadecimal(ring.blindName("door", as: use, in: mailbox)) == name) }
        let invitation = ring.blindName("door", as: .invitation)
        #expect(hexadecimal(invitation) == Vector.invitationOfDoor)
    }

    @Test(
        "A text has another name in each use, each mailbox and each ring, and keeps it in rotations"
    )
    func blindNames() throws {
        let ring = try TokenRing.random()
        let mailboxes = try (0..<2).map { _ in MailboxID(of: try KeyPair().publicKey) }
        let uses: [TokenRing.Use] = [.tag, .confirmID, .invitation]
        var names: Set<[UInt8]> = []
        for ring in [ring, try TokenRing.random()] {
            for mailbox in mailboxes + [nil] {
                for use in uses { names.insert(ring.blindName("door", as: use, in: mailbox)) }
            }
        }
        #expect(names.count == 18)
        let rotated = try ring.rotated().rotated()
        for use in uses {
            #expect(
                rotated.blindName("door", as: use, in: mailboxes[0])
                    == ring.blindName("door", as: use, in: mailboxes[0]))
        }
        #expect(ring.blindName("", as: .tag, in: mailboxes[0]).count == 16)
    }

    @Test("A parcel key is one for each mailbox and key id")
    func parcelKeys() throws {
        let ring = try TokenRing.random().rotated()
        let mailboxes = try (0..<2).map { _ in MailboxID(of: try KeyPair().publicKey) }
        let keys = mailboxes.flatMap { mailbox in
            ring.keys.compactMap { ring.parcelKey(of: mailbox, keyID: $0.id)?.hexadecimal }
        }
        #expect(Set(keys).count == 4)
    }
}

@Suite struct RingFileTests {
    @Test("A ring comes back from its file with all its keys")
    func roundTrip() throws {
        let ring = try TokenRing.random(id: 255).rotated()
        let again = try TokenRing(file: ring.file)
        #expect(again.file == ring.file)
        #expect(again.keys.map(\.id) == [0, 255])
        let pair = try KeyPair()
        let token = try #require(ring.token(for: pair.publicKey, generation: 9))
        #expect(again.isOwn(token))
        let name = ring.blindName("door", as: .tag, in: token.mailbox)
        #expect(again.blindName("door", as: .tag, in: token.mailbox) == name)
        #expect(ring.file.utf8.count < TokenRing.fileLimit)
    }

    private static let key = String(repeating: "ab", count: 32)

    @Test("Empty lines, comments and blanks do not count")
    func blanks() throws {
        let file = "\n# a\n  1\t\(Self.key)  \r\n\n name \(Self.key)"
        #expect(try TokenRing(file: file).keys.map(\.id) == [1])
    }

    private static let badFiles: [(String, RingFault)] = {
        let (one, names) = ("1 \(key)\n", "name \(key)\n")
        return [
            ("", .noKey), (names, .noKey), (one, .badNames), (one + names + names, .badNames),
            (one + one + names, .badKeys), (one + "2 \(key)\n3 \(key)\n" + names, .badKeys),
            ("256 \(key)\n" + names, .line(1)), (names + "-1 \(key)\n", .line(2)),
            ("\n1 \(key)0\n" + names, .line(2)), ("1\n" + names, .line(1)),
            ("1 \(key) x\n" + names, .line(1)), ("1 \(key.dropLast())g\n" + names, .line(1)),
            (one + names + String(repeating: "#", count: 4096), .tooLarge),
        ]
    }()

    @Test("What is no ring is refused with a reason that tells no key", arguments: badFiles)
    func faults(file: String, fault: RingFault) throws {
        #expect(try thrown(RingFault.self) { try TokenRing(file: file) } == fault)
        #expect(!fault.description.isEmpty && !fault.description.contains("abab"))
    }
}
