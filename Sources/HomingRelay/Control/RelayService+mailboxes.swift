internal import Glibc
internal import HomingBase
internal import HomingRelayProtocol
internal import HomingRuntime

/// The operator's commands for mailboxes.
extension RelayService {
    /// Mailboxes of a page: its answer has to fit into what may wait for a client.
    private static let pageSize = 500

    func list(after last: String?) async throws(LineError) -> MailboxList {
        var start: MailboxID?
        if let last {
            guard let id = MailboxID(hexadecimal: last) else { throw .unknownMailbox(last) }
            start = id
        }
        let page = try await page(after: start)
        return MailboxList(
            mailboxes: page.map { report($0) },
            next: page.count == Self.pageSize ? page.last?.mailbox.hexadecimal : nil)
    }

    func forget(_ name: String) async throws(LineError) -> MailboxReport.Named {
        let mailbox = try await mailbox(named: name)
        let isKnown = try await asked { [store] in store.forget(mailbox, $0) }
        guard isKnown else { throw .unknownMailbox(name) }
        Log.notice("what mailbox \(mailbox.label) held was deleted")
        return MailboxReport.Named(label: mailbox.label)
    }

    func block(_ name: String, _ isBlocked: Bool) async throws(LineError) -> MailboxReport.Named {
        let mailbox = try await mailbox(named: name)
        let isKnown = try await asked { [store] in store.setBlocked(mailbox, isBlocked, $0) }
        guard isKnown else { throw .unknownMailbox(name) }
        Log.notice("mailbox \(mailbox.label) is \(isBlocked ? "blocked" : "no longer blocked")")
        return MailboxReport.Named(label: mailbox.label)
    }

    private func page(after last: MailboxID?) async throws(LineError) -> [MailboxSummary] {
        try await asked { [store] in store.mailboxes(after: last, limit: Self.pageSize, $0) }
    }

    private func report(_ mailbox: MailboxSummary) -> MailboxReport {
        MailboxReport(
            label: mailbox.mailbox.label, id: mailbox.mailbox.hexadecimal,
            isBlocked: mailbox.isBlocked,
            isConnected: forwarder == nil ? devices.isHere(mailbox.mailbox) : nil,
            generation: Int(mailbox.generation), waiting: mailbox.waiting, bytes: mailbox.bytes,
            dropped: mailbox.dropped, used: Seconds(mailbox.used) / 1000)
    }

    /// The mailbox of that label or id.
    private func mailbox(named name: String) async throws(LineError) -> MailboxID {
        if let id = MailboxID(hexadecimal: name) { return id }
        var (found, last): ([MailboxID], MailboxID?) = ([], nil)
        while true {
            let page = try await page(after: last)
            found += page.map(\.mailbox).filter { $0.label == name }
            guard page.count == Self.pageSize else { break }
            last = page.last?.mailbox
        }
        guard let first = found.first else { throw .unknownMailbox(name) }
        guard found.count == 1 else {
            throw LineError(
                code: EX_USAGE, "\(found.count) mailboxes have the label \(quoted(name))",
                hint: "use the id instead: homing-relay mailbox list --json")
        }
        return first
    }
}

extension LineError {
    fileprivate static func unknownMailbox(_ name: String) -> LineError {
        LineError(
            code: EX_NOINPUT, "there is no mailbox \(quoted(name.bounded(64)))",
            hint: "the mailboxes: homing-relay mailbox list")
    }
}

extension MailboxID {
    /// 32 characters.
    var hexadecimal: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Reads what `hexadecimal` gives.
    init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard text.utf8.count == 32, digits.count == 32 else { return nil }
        self.init(
            bytes: stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
