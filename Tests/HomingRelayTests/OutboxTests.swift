import HomingCrypto
import HomingRelayProtocol
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingRelay

/// Messages that a front's forwarder finds in the store.
@Suite("An outbox")
struct OutboxTests {
    private let folder: TemporaryFolder
    private let far = "https://far.example"
    private var path: String { folder.file("relay.db") }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ change: (inout StoreLimits) -> Void = { _ in }) throws -> MailboxFile {
        var limits = StoreLimits()
        change(&limits)
        return try MailboxFile(path, limits: limits)
    }

    private func token() throws -> PushToken {
        let token = try TokenRing.random().token(for: KeyPair().publicKey, generation: 3)
        return try #require(token)
    }

    private func next(
        _ file: MailboxFile, isFreeOnly: Bool = false, at now: Int64 = noon
    ) throws -> OutgoingMail {
        try file.transaction {
            try $0.outbox.next(of: mailbox(1), at: far, isFreeOnly: isFreeOnly, at: now)
        }
    }

    @Test("gives the oldest message that has not expired, with all that the far relay decides by")
    func order() throws {
        let (file, deposits, token) = (try open(), Deposits(), try token())
        _ = try file.transaction {
            try $0.outbox.setFarToken(
                token, of: mailbox(1), at: far, most: 9, hasRoom: true)
        }
        let first = deposits.next(life: hour)
        let second = deposits.next(.push(.free), tag: 5, isClearing: true)
        for deposit in [first, second] { #expect(try file.keep(deposit).isStored) }
        let mail = try next(file)
        #expect(mail.token == token && mail.unreported == 0)
        #expect(
            mail.message
                == OutgoingMessage(
                    id: first.id, parcel: first.parcel, kind: .notification, isClearing: false,
                    tag: nil, expires: noon + hour))
        let expected = OutgoingMessage(
            id: second.id, parcel: second.parcel, kind: .free, isClearing: true, tag: name(5),
            expires: noon + 24 * hour)
        #expect(try next(file, isFreeOnly: true).message == expected)
        #expect(try next(file, at: noon + hour).message == expected)
        #expect(try next(file, at: noon + 24 * hour).message == nil)
    }

    @Test("names the mailboxes that have something to tell, in pages")
    func look() throws {
        let (file, deposits) = (try open(), Deposits())
        let look = { (last: MailboxID?, limit: Int, now: Int64) in
            try file.transaction { try $0.mailboxes.toForward(after: last, limit: limit, at: now) }
        }
        for number in 1...4 {
            #expect(try file.keep(deposits.next(for: mailbox(number), life: hour)).isStored)
        }
        _ = try file.transaction { try $0.setBlocked(mailbox(2), true) }
        #expect(try look(nil, 2, noon) == [mailbox(1), mailbox(3)])
        #expect(try look(mailbox(3), 2, noon) == [mailbox(4)])
        #expect(try look(nil, 9, noon + hour).isEmpty)
        // What has expired is told of, too.
        _ = try file.transaction { try $0.sweep(at: noon + hour) }
        #expect(try look(nil, 9, noon + hour) == [mailbox(1), mailbox(3), mailbox(4)])
    }

    @Test("gives nothing of a blocked mailbox, and no token that no device has told")
    func blocked() throws {
        let (file, deposits) = (try open(), Deposits())
        #expect(try file.keep(deposits.next()).isStored)
        #expect(try next(file).token == nil && next(file).message != nil)
        _ = try file.transaction { try $0.setBlocked(mailbox(1), true) }
        #expect(try next(file).message == nil)
    }

    @Test("has the device told of a message that is discarded, once")
    func discarding() throws {
        let (file, deposits) = (try open(), Deposits())
        let deposit = deposits.next()
        #expect(try file.keep(deposit).isStored)
        for _ in 0..<2 {
            try file.transaction { try $0.outbox.discard(deposit.id, of: mailbox(1)) }
        }
        #expect(try next(file) == OutgoingMail(token: nil, message: nil, unreported: 1))
        let notice = deposits.next(.notice(.dropped(1)))
        #expect(try file.keep(notice).isStored)
        let mail = try next(file)
        #expect(
            mail.message?.id == notice.id && mail.message?.kind == .free && mail.unreported == 0)
        // The far relay would refuse a notice of the notice, too.
        try file.transaction { try $0.outbox.discard(notice.id, of: mailbox(1)) }
        #expect(try next(file) == OutgoingMail(token: nil, message: nil, unreported: 0))
    }

    @Test("keeps a far token until the mailbox is forgotten, for as many mailboxes as allowed")
    func farTokens() throws {
        let file = try open()
        let tokens = try (0..<4).map { _ in try token() }
        let isKept = { (token: PushToken, number: Int) in
            let result = try file.transaction {
                try $0.outbox.setFarToken(
                    token, of: mailbox(number), at: far, most: 2, hasRoom: number != 3)
            }
            return (try? result.get()) != nil
        }
        #expect(try isKept(tokens[0], 1) && !isKept(tokens[1], 3), "there is no room")
        #expect(try isKept(tokens[1], 4) && isKept(tokens[2], 1))
        #expect(try !isKept(tokens[3], 5), "there are two")
        file.database.close()
        let again = try open()
        #expect(try again.outbox.farTokens.token(of: mailbox(1), at: far) == tokens[2])
        #expect(try again.outbox.farTokens.token(of: mailbox(1), at: "https://b") == nil)
        #expect(try again.keep(Deposits().next()).isStored)
        _ = try again.transaction { try $0.forget(mailbox(1)) }
        #expect(try again.outbox.farTokens.token(of: mailbox(1), at: far) == nil)
        #expect(try again.outbox.farTokens.token(of: mailbox(4), at: far) == tokens[1])
    }

    @Test("is made of a file from before fronts, and no message is lost")
    func migration() throws {
        let (file, deposits) = (try open(), Deposits())
        let deposit = deposits.next()
        #expect(try file.keep(deposit).isStored)
        file.database.close()
        let database = try Database(path)
        try database.execute(
            """
            DROP TABLE far;
            ALTER TABLE message DROP COLUMN free;
            PRAGMA user_version = 1;
            """)
        database.close()
        let migrated = try open()
        #expect(try migrated.waiting() == [deposit.id])
        #expect(try next(migrated).message?.kind == .notification)
        #expect(try migrated.keep(deposits.next(.push(.free))).isStored)
    }
}
