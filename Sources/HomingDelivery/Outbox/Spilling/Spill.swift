/// Content of one transaction to the disk. The disk keeps this note of the content, by which the
/// content can be taken back.
struct Spill {
    /// Share of one stream in the spill.
    struct Part {
        /// The numbers of its rows lie between these, which are 0 if there are none.
        var first: Int64
        var last: Int64
        /// Number of rows.
        var count: Int
        /// The closed part of the ledger.
        var settled: Ledger
    }

    /// Counts the memory tier's spills, from 0 on.
    var number: Int64
    var parts: [Stream: Part] = [:]
}

extension Spill.Part {
    /// The numbers in a line: a note of a spill is one page, whatever it brings.
    var text: String {
        let numbers = [first, last, Int64(count)] + Fate.allCases.map { Int64(settled[$0]) }
        return numbers.map(String.init).joined(separator: " ")
    }

    /// `nil` if the text is damaged.
    init?(text: String) {
        let numbers = text.split(separator: " ").compactMap { Int64($0) }
        // An earlier version knew the first seven fates.
        guard (10...3 + Fate.allCases.count).contains(numbers.count),
            numbers.allSatisfy(LedgerTable.plausible.contains)
        else { return nil }
        (first, last, count) = (numbers[0], numbers[1], Int(numbers[2]))
        settled = Ledger()
        for (fate, number) in zip(Fate.allCases, numbers.dropFirst(3)) where number > 0 {
            settled.fates[fate] = Int(number)
            settled.accepted += Int(number)
        }
    }
}

extension Ledger {
    /// The part of the ledger that is closed: rows that have their fate.
    var settled: Ledger { Ledger(accepted: accepted - queued, fates: fates) }

    /// Takes another ledger off this one, as far as it is in it.
    mutating func remove(_ other: Ledger) {
        queued = max(0, queued - other.queued)
        for (fate, count) in other.fates { fates[fate] = max(0, self[fate] - count) }
        accepted = fates.values.reduce(queued, +)
    }
}
