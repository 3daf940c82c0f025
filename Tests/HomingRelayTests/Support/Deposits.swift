import HomingBase
import HomingRelayProtocol
import HomingRuntime
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingRelay

/// A mailbox of that number.
func mailbox(_ number: Int) -> MailboxID {
    let low = [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    let bytes = Array(repeating: 7, count: 14) + low
    guard let id = MailboxID(bytes: bytes) else { preconditionFailure("no mailbox") }
    return id
}

/// A name of 16 bytes, as tags and confirmations have.
func name(_ number: Int) -> [UInt8] {
    Array(repeating: 0, count: 15) + [UInt8(truncatingIfNeeded: number)]
}

/// Noon of a day of 2027: milliseconds since 1970.
let noon: Int64 = 1_800_014_400_000
let hour: Int64 = 3_600_000

/// Makes deposits with ids that rise.
final class Deposits {
    private var ids = MessageIDs()

    func next(
        _ content: Deposit.Content = .push(.notification), for mailbox: MailboxID = mailbox(1),
        generation: UInt16 = 0, at now: Int64 = noon, life: Int64 = 24 * hour, tag: Int? = nil,
        confirmation: Int? = nil, isClearing: Bool = false, size: Int = 100
    ) -> Deposit {
        let id = ids.next(at: now)
        return Deposit(
            content, id: id, for: mailbox, generation: generation, expires: now + life,
            tag: tag.map(name), confirmation: confirmation.map(name), isClearing: isClearing,
            parcel: id.bytes + Array(repeating: 0x41, count: max(0, size - 16)))
    }
}

extension MailboxFile {
    /// Does a thing as the writer does it.
    func transaction<T>(_ work: (MailboxFile) throws -> T) throws -> T {
        var result: Result<T, any Error>?
        try database.transaction { () throws(DatabaseError) in
            result = Result { try work(self) }
        }
        return try #require(result).get()
    }

    /// Deposits, and says what came of it.
    func keep(_ deposit: Deposit, at now: Int64 = noon) throws -> Acceptance {
        try transaction { try $0.accept(deposit, at: now) }
    }

    /// The messages that wait, the oldest first.
    func waiting(_ number: Int = 1, at now: Int64 = noon) throws -> [MessageID] {
        try load(mailbox(number), except: [], limit: .max, bytes: .max, at: now).messages.map(\.id)
    }
}

extension Acceptance {
    var isStored: Bool { if case .stored = self { true } else { false } }
    var isLimited: Bool { if case .limited = self { true } else { false } }
    /// The count that it tells.
    var count: DayCount? {
        switch self {
        case .stored(let count), .repeated(_, let count), .limited(let count, _): count
        case .outdated, .revoked, .blocked, .full: nil
        }
    }
}

extension TemporaryFolder {
    /// The files as they are now, as a kill would leave them.
    func copy() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in names() { try copy.write(read(name), to: name) }
        return copy
    }
}
