import HomingRelayProtocol
import HomingTestKit
import Testing

@testable import HomingRelay

/// Notices that the relay itself leaves for a device.
@Suite("Notices in a mailbox")
struct NoticeTests {
    private let folder: TemporaryFolder
    private let file: MailboxFile

    init() throws {
        folder = try TemporaryFolder()
        var limits = StoreLimits()
        (limits.maximum, limits.commands, limits.messages) = (3, 1, 2)
        file = try MailboxFile(folder.file("relay.db"), limits: limits)
    }

    private func loaded() throws -> LoadedMessages {
        try file.load(mailbox(1), except: [], limit: 9, bytes: .max, at: noon)
    }

    @Test("of a limit are taken once a day and kind, beyond any limit, and count for nothing")
    func limit() throws {
        let deposits = Deposits()
        for _ in 0..<3 { try #require(file.keep(deposits.next()).isStored) }
        guard case .limited(let before, isTold: false) = try file.keep(deposits.next()) else {
            return #expect(Bool(false))
        }
        let notice = deposits.next(.notice(.limitReached(.notification)))
        #expect(try file.keep(notice) == .stored(before))
        guard case .limited(_, isTold: true) = try file.keep(deposits.next()) else {
            return #expect(Bool(false))
        }
        let acknowledged = try file.transaction { try $0.acknowledge(mailbox(1), [notice.id]) }
        #expect(acknowledged == 1)
        #expect(try file.keep(deposits.next(.notice(.limitReached(.notification)))) == .outdated)
        try #require(file.keep(deposits.next(.notice(.limitReached(.free)))).isStored)
        let tomorrow = noon + 24 * hour
        let next = deposits.next(.notice(.limitReached(.notification)), at: tomorrow)
        try #require(file.keep(next, at: tomorrow).isStored)
    }

    @Test("of dropped messages tell of each once, whatever becomes of the notice")
    func dropped() throws {
        let deposits = Deposits()
        for _ in 0..<3 { try #require(file.keep(deposits.next()).isStored) }
        #expect(try loaded().unreported == 1)
        #expect(try file.keep(deposits.next(.notice(.dropped(3)))) == .outdated)
        #expect(try loaded().messages.count == 2 && loaded().unreported == 1)
        // It takes no message's place.
        let first = deposits.next(.notice(.dropped(1)))
        try #require(file.keep(first).isStored)
        #expect(try loaded().messages.count == 3)
        #expect(try loaded().unreported == 0 && loaded().reported == 1)
        // A newer one takes its place and its number.
        try #require(file.keep(deposits.next(.push(.free))).isStored)
        #expect(try loaded().unreported == 1 && loaded().reported == 1)
        let second = deposits.next(.notice(.dropped(2)))
        try #require(file.keep(second).isStored)
        #expect(try loaded().messages.last?.id == second.id)
        #expect(try loaded().messages.count == 3)
        #expect(try loaded().unreported == 0 && loaded().reported == 2)
        // One that expires gives its number back.
        let tomorrow = noon + 24 * hour
        _ = try file.transaction { try $0.sweep(at: tomorrow) }
        #expect(try loaded() == LoadedMessages(unreported: 4))
        let third = deposits.next(.notice(.dropped(4)), at: tomorrow)
        try #require(file.keep(third, at: tomorrow).isStored)
        _ = try file.transaction { try $0.acknowledge(mailbox(1), [third.id]) }
        #expect(try loaded() == LoadedMessages())
    }
}
