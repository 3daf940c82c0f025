import CSQLite
import Glibc
import HomingBase
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery

/// Every call on the disk fails, each in turn, while an outbox is asked all it can be asked.
///
/// By default so many of the calls are tried as fit into a few seconds, others in each run;
/// `HOMING_FAULTS=0` tries all of them.
@Suite("An outbox on a failing disk")
struct FaultTests {
    /// An answer of the disk's, and what the outbox may say of it.
    struct Fault: CustomStringConvertible, Sendable {
        let call: DiskCall
        let code: Int32
        var systemError: Int32 = 0
        let kinds: Set<DatabaseError.Kind>

        var description: String { "\(call) \(code) \(systemError)" }

        /// Whether it may cost a file, and what was queued in it.
        var isDamage: Bool { kinds.contains(.damaged) }
    }

    private static func ioError(_ number: Int32) -> Int32 { SQLITE_IOERR | number << 8 }

    static let faults: [Fault] = [
        Fault(call: .read, code: ioError(1), kinds: [.failed]),
        Fault(call: .read, code: ioError(33), kinds: [.damaged, .failed]),
        Fault(call: .read, code: SQLITE_CORRUPT, kinds: [.damaged, .failed]),
        Fault(call: .read, code: SQLITE_NOMEM, kinds: [.failed]),
        Fault(call: .write, code: ioError(3), kinds: [.failed]),
        Fault(call: .write, code: ioError(3), systemError: EROFS, kinds: [.readOnly]),
        Fault(call: .write, code: ioError(3), systemError: EDQUOT, kinds: [.full]),
        Fault(call: .write, code: SQLITE_FULL, kinds: [.full]),
        Fault(call: .write, code: SQLITE_READONLY, kinds: [.readOnly]),
        Fault(call: .truncate, code: ioError(6), kinds: [.failed]),
        Fault(call: .sync, code: ioError(4), kinds: [.failed]),
        Fault(call: .size, code: ioError(7), kinds: [.failed]),
        Fault(call: .lock, code: ioError(15), kinds: [.failed]),
        Fault(call: .open, code: SQLITE_CANTOPEN, systemError: EACCES, kinds: [.readOnly]),
        Fault(call: .open, code: SQLITE_CANTOPEN, systemError: EMFILE, kinds: [.failed]),
        Fault(call: .delete, code: ioError(10), kinds: [.failed]),
        Fault(call: .access, code: ioError(13), kinds: [.failed]),
    ]

    @Test(
        "fails in words, and has afterwards what it said it had", arguments: faults,
        [OutboxFile.Durability.powerLoss, .grouped, .crash])
    func everyCall(fault: Fault, durability: OutboxFile.Durability) throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): \(fault), \(durability)")
        var random = SeededRandom(seed: seed)
        let whole = try Story(durability)
        whole.run()
        let all = whole.disk.calls[fault.call, default: 0]
        #expect(whole.kinds.isEmpty && all > 0)
        let wanted = TestRun.number("HOMING_FAULTS", 4)
        let numbers =
            wanted == 0
            ? Array(1...all)
            : (0..<wanted).map { _ in
                Int.random(in: 1...all, using: &random)
            }
        for number in numbers {
            for lasts in [false, true] {
                let story = try Story(durability)
                story.fail(fault, at: number, lasts: lasts)
                story.run()
                let violations = try story.violations(of: fault)
                #expect(violations.isEmpty, "call \(number)\(lasts ? " and all after it" : "")")
            }
        }
        print("HOMING_FIGURE=\(2 * numbers.count)")
    }
}

/// All that an outbox can be asked, in an order that reaches every call, and what it answered.
private final class Story {
    let disk: FaultyDisk
    private(set) var kinds: Set<DatabaseError.Kind> = []
    private let file: OutboxFile
    private var outbox: HealingOutbox?
    /// Rows that the outbox said it had, and that nobody tried to settle.
    private var owed: [EntryID: OutboxMessage] = [:]
    private var accepted = 0
    private var attempts = 0
    private var number = 0

    init(_ durability: OutboxFile.Durability) throws {
        disk = try FaultyDisk()
        file = disk.folder.outboxFile(durability, maxSize: 1 << 18)
    }

    deinit { disk.remove() }

    /// - Parameter lasts: whether all calls after that one fail too
    func fail(_ fault: FaultTests.Fault, at number: Int, lasts: Bool) {
        var left = number
        disk.systemError = fault.systemError
        disk.fault = { call, _ in
            guard call == fault.call else { return nil }
            left -= 1
            return left == 0 || lasts && left < 0 ? fault.code : nil
        }
    }

    func run() {
        reopen()
        for _ in 1...3 { append(position(next())) }
        attempt { try $0.save() }
        for _ in 1...3 { append(position(next())) }
        attempt { try $0.save() }
        append(sensor("a", 1))
        append(
            .event(
                EventMessage(
                    type: "large", data: "{\"x\":\"\(String(repeating: "x", count: 20_000))\"}")))
        append(sensor("a", 2), settles: { $0.stream == .sensors })
        settle(.location, 2, as: .deliveredLive)
        attempt { _ = try $0.moveToHistory(acceptedBefore: 4, keepingNewest: false) }
        settle(.location, 1, as: .deliveredTrack)
        attempt { try $0.spill(acceptedBefore: 6) }
        for _ in 1...3 { append(position(next())) }
        append(event(next()), expires: 50)
        attempt(settles: { if case .event(let event) = $1 { event.type != "large" } else { false } }
        ) {
            try $0.expire(at: 100, acceptedBefore: nil)
        }
        reopen()
        append(position(next()))
        attempt { try $0.spillAll() }
        let newest = owed.keys.filter { $0.stream == .location }.max()
        attempt(settles: { id, _ in id.stream == .location && id != newest }) {
            try $0.supersedeOlderPositions()
        }
        append(position(next()))
        attempt { _ = try ($0.ledger(.location), $0.oldest(.events), $0.lastDelivered()) }
        outbox?.close()
    }

    private func next() -> Int {
        number += 1
        return number
    }

    private func reopen() {
        outbox?.close()
        outbox = nil
        do throws(DatabaseError) {
            // A clock that stands still: nothing is mended by waiting.
            outbox = try HealingOutbox(
                file, clock: { Moment(uptime: 0, unixTime: 1700) }, report: { _ in })
            outbox?.reserve(16)
        } catch { kinds.insert(error.kind) }
    }

    private func append(
        _ message: OutboxMessage, expires: Seconds? = nil,
        settles: (EntryID) -> Bool = { _ in false }
    ) {
        owed = owed.filter { !settles($0.key) }
        attempts += 1
        attempt {
            let id = try $0.append(message, acceptedAt: Double(self.number), expiresAt: expires)
            self.owed[id] = message
            self.accepted += 1
        }
    }

    private func settle(_ stream: HomingDelivery.Stream, _ count: Int, as fate: Fate) {
        let ids = owed.keys.filter { $0.stream == stream }.sorted().prefix(count)
        attempt(settles: { id, _ in ids.contains(id) }) { try $0.settle(Array(ids), as: fate) }
    }

    private func attempt(
        settles: (EntryID, OutboxMessage) -> Bool = { _, _ in false },
        _ body: (HealingOutbox) throws -> Void
    ) {
        guard let outbox else { return }
        owed = owed.filter { !settles($0.key, $0.value) }
        do { try body(outbox) } catch {
            if let error = error as? DatabaseError { kinds.insert(error.kind) }
        }
    }

    /// Returns the violations that are left once the disk works again.
    func violations(of fault: FaultTests.Fault) throws -> [String] {
        outbox?.close()
        disk.fault = { _, _ in nil }
        var violations: [String] = []
        if !kinds.isSubset(of: fault.kinds) { violations.append("told of \(kinds)") }
        let (store, notes) = try file.opened(at: 1800)
        defer { store.close() }
        if notes.contains(where: \.isReplacement) { violations.append("\(notes)") }
        var rows: [EntryID: OutboxMessage] = [:]
        var counted = 0
        for stream in HomingDelivery.Stream.allCases {
            let found = try everything(store, stream)
            let ledger = try store.ledger(stream)
            if !ledger.balances || ledger.queued != found.count { violations.append("\(ledger)") }
            if !fault.isDamage, ledger[.lostWithDatabase] > 0 { violations.append("\(ledger)") }
            counted += ledger.accepted
            for row in found { rows[row.id] = row.message }
        }
        if !(accepted...attempts).contains(counted), !fault.isDamage {
            violations.append("\(counted) counted, \(accepted) of \(attempts) accepted")
        }
        for (id, message) in owed where rows[id] != message && !fault.isDamage {
            violations.append("\(id) is not there")
        }
        return violations
    }
}

/// All queued rows of the stream, history first.
func everything(
    _ store: any OutboxStore, _ stream: HomingDelivery.Stream
) throws -> [OutboxEntry] {
    let live = try store.entries(stream, freshness: .live, after: 0, limit: .max)
    guard stream == .location else { return live }
    return try store.entries(stream, freshness: .history, after: 0, limit: .max) + live
}
