import Glibc
import HomingRelayProtocol
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingRelay

/// Files that are refused at the start, and left as they are.
@Suite("The file of the mailboxes")
struct StoreFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("relay.db") }

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> MailboxFile { try MailboxFile(path, limits: StoreLimits()) }

    /// The kind of the error that opening throws; the file must not have changed.
    private func refusal() throws -> DatabaseError.Kind? {
        let before = try folder.read("relay.db")
        let error = try thrown(DatabaseError.self) { try open() }
        #expect(try folder.read("relay.db") == before)
        #expect(error?.message.hasPrefix(path) == true)
        return error?.kind
    }

    private func fill() throws {
        let file = try open()
        let deposits = Deposits()
        for number in 0..<120 {
            try #require(file.keep(deposits.next(for: mailbox(number), size: 900)).isStored)
        }
        file.database.close()
    }

    @Test("is refused if it is no database, or another's")
    func foreign() throws {
        try folder.write("no database at all, and long enough to be told from one", to: "relay.db")
        #expect(try refusal() == .damaged)
        DamagedFile.delete(path)
        let other = try Database(path)
        try other.execute("CREATE TABLE mailbox (a)")
        other.close()
        #expect(try refusal() == .damaged)
    }

    @Test("is refused if a newer relay has made it")
    func newer() throws {
        try fill()
        let database = try Database(path)
        try database.execute("PRAGMA user_version = 99")
        database.close()
        #expect(try refusal() == .newerSchema)
    }

    @Test("is refused if a page is damaged, whichever it is")
    func damaged() throws {
        try fill()
        let whole = try folder.read("relay.db")
        let pages = whole.count / MailboxFile.pageSize
        for page in [1, pages / 4, pages / 2, pages * 3 / 4, pages - 1] {
            var bytes = whole
            let start = page * MailboxFile.pageSize
            for offset in start..<start + 64 { bytes[offset] ^= 0x5A }
            try folder.write(bytes, to: "relay.db")
            #expect(try refusal() == .damaged, "page \(page) of \(pages)")
        }
    }

    @Test("may hold any numbers: no operation ends the relay")
    func numbers() throws {
        let columns = [
            ("mailbox", ["generation", "blocked", "dropped", "used"]),
            ("message", ["kind", "tells", "expires"]),
            ("tally", ["notifications", "free", "errors", "free_errors", "told"]),
            ("meta", ["value"]),
        ]
        let deposits = Deposits()
        for (table, names) in columns {
            for name in names {
                for number in [Int64.min, -1, .max] {
                    DamagedFile.delete(path)
                    try fill()
                    let database = try Database(path)
                    try database.execute("UPDATE \(table) SET \(name) = \(number)")
                    database.close()
                    try work(on: try open(), deposits, "\(table).\(name) = \(number)")
                }
            }
        }
    }

    /// Does everything once; failures are allowed, and a next mailbox must work.
    private func work(on file: MailboxFile, _ deposits: Deposits, _ place: String) throws {
        let box = mailbox(1)
        _ = try? file.keep(deposits.next(for: box))
        _ = try? file.transaction { try $0.check(box, generation: 0, at: noon) }
        _ = try? file.transaction { try $0.open(box, generation: 0, isProven: true, at: noon) }
        _ = try? file.transaction {
            try $0.load(box, except: [], limit: 9, bytes: .max, at: noon)
        }
        _ = try? file.transaction { try $0.summaries(after: nil, limit: 9, at: noon) }
        _ = try? file.transaction { try $0.statistics() }
        _ = try? file.transaction { try $0.sweep(at: noon + 24 * hour) }
        _ = try? file.transaction { try $0.raiseGeneration(box, above: 0, at: noon) }
        #expect(try file.keep(deposits.next(for: mailbox(500))).isStored, "\(place)")
        file.database.close()
    }

    @Test("is made for its owner alone to read")
    func mode() throws {
        try fill()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("takes no more than all mailboxes may hold together")
    func wholeBounds() throws {
        var limits = StoreLimits()
        (limits.maximum, limits.messages) = (0, 10_000)
        (limits.mailboxBytes, limits.bytes) = (1 << 30, 1 << 20)
        let file = try MailboxFile(path, limits: limits)
        let deposits = Deposits()
        var kept: [MessageID] = []
        for _ in 0..<2000 {
            let deposit = deposits.next(size: 2000)
            guard try file.keep(deposit).isStored else { break }
            kept.append(deposit.id)
        }
        #expect((200..<600).contains(kept.count))
        #expect(try file.keep(deposits.next(size: 2000)) == .full(.bytes))
        #expect(try file.usedBytes() <= 1 << 20)
        // What was refused was not counted, and there is room again once something is gone.
        let count = try file.check(mailbox(1), generation: 0, at: noon)
        guard case .good(let count) = count else { return #expect(Bool(false)) }
        #expect(count.notifications == kept.count)
        for start in stride(from: 0, to: kept.count, by: 32) {
            _ = try file.transaction { try $0.acknowledge(mailbox(1), kept[start...].prefix(32)) }
        }
        try #require(file.keep(deposits.next(size: 2000)).isStored)
    }

    @Test(
        "leaves room on the disk for what is deleted, and takes messages again when there is room")
    func diskRoom() throws {
        // A disk of 16 MiB: 256 pages of the log, and three times as much is kept free.
        let free = Free(16 << 20)
        let file = try MailboxFile(
            path, limits: StoreLimits(), space: { _ in (16 << 20, free.bytes) })
        #expect(try file.database.integer("PRAGMA wal_autocheckpoint") == 256)
        let deposits = Deposits()
        #expect(try file.keep(deposits.next()).isStored)
        free.bytes = (3 << 20) + 60_000
        // Of one transaction, too, not more is taken than there is room for.
        let kept = try file.transaction { file in
            file.beginTransaction()
            return try (0..<6).map { _ in
                try file.accept(deposits.next(size: 2000), at: noon)
            }
        }
        #expect(kept.map(\.isStored) == [true, true, false, false, false, false])
        #expect(kept.last == .full(.disk))
        free.bytes = 3 << 20
        file.beginTransaction()
        guard case .open = try file.open(mailbox(9), generation: 0, isProven: true, at: noon)
        else { return #expect(Bool(false)) }
        #expect(try file.statistics().mailboxes == 1)
        #expect(throws: StoreFailure.self) {
            try file.raiseGeneration(mailbox(9), above: 0, at: noon).get()
        }
        let ids = try file.waiting()
        #expect(try file.transaction { try $0.acknowledge(mailbox(1), ids[...]) } == 3)
        free.bytes = 8 << 20
        file.beginTransaction()
        let many = (0..<40).map { _ in deposits.next(size: 3000) }
        for deposit in many { #expect(try file.keep(deposit).isStored) }
        _ = try file.transaction { try $0.acknowledge(mailbox(1), many.map(\.id)[...]) }
        // What was deleted left room in the file, so that the log alone needs room on the disk.
        free.bytes = 2 << 20
        file.beginTransaction()
        #expect(try file.keep(deposits.next(size: 3000)).isStored)
        free.bytes = 1 << 20
        file.beginTransaction()
        #expect(try file.keep(deposits.next(size: 3000)) == .full(.disk))
    }

    /// The free bytes of a disk.
    private final class Free {
        var bytes: Int

        init(_ bytes: Int) { self.bytes = bytes }
    }

    @Test("gives ids a time that later runs exceed, whatever their clock says")
    func times() throws {
        let deposits = Deposits()
        do {
            let file = try open()
            try #require(file.keep(deposits.next()).isStored)
            file.database.close()
        }
        let next = try open()
        #expect(next.marks.firstTime > noon)
        #expect(next.marks.firstTime <= noon + 60_000)
    }
}
