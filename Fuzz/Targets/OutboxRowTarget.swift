internal import HomingDelivery
import HomingSQLite

@testable internal import HomingDelivery

/// Rows in which any column may hold anything: what is read of them obeys the model, and the others
/// are counted as lost.
final class OutboxRowTarget: FuzzTarget {
    static let name = "outbox-row"
    static let longest = 600
    private let outbox: SQLiteOutbox
    private let checks: OutboxChecks
    private var lost = 0

    init() throws {
        outbox = try SQLiteOutbox(":memory:", maxSize: 32 << 20, synchronous: .off)
        checks = try OutboxChecks()
    }

    /// The input is a recipe: a stream, then a kind and a value for each of its columns, and so on.
    func run(_ input: [UInt8]) throws {
        var reader = ByteReader(input)
        var script = ""
        var number = 0
        repeat {
            number += 1
            script += Self.insertion(number, &reader)
        } while !reader.isAtEnd
        try outbox.database.execute(script)
        for stream in HomingDelivery.Stream.allCases {
            if !faultIsPlanted { _ = try outbox.ledgers.reconcile(stream) }
            outbox.raiseLastNumber(stream, to: Int64(number))
            outbox.expiry.note(nil, of: stream)
        }
        try checks.exercise(outbox)
        try empty()
    }

    /// Each input begins with the same outbox.
    private func empty() throws {
        for stream in HomingDelivery.Stream.allCases {
            try outbox.database.execute("DELETE FROM \(stream.table)")
            try outbox.ledgers.replace(stream, with: Ledger(), lastNumber: 0)
        }
        try outbox.meta.set(.deliveredNumber, .null)
    }

    private static func insertion(_ number: Int, _ reader: inout ByteReader) -> String {
        let streams = HomingDelivery.Stream.allCases
        let stream = streams[reader.index(below: streams.count)]
        let sound = sound(stream)
        let values = sound.map { value(&reader, sound: $0) }.joined(separator: ", ")
        return "INSERT INTO \(stream.table) VALUES (\(number), \(values));\n"
    }

    /// A row that is whole, behind its number.
    private static func sound(_ stream: HomingDelivery.Stream) -> [String] {
        let common = ["1000.0", "NULL"]
        return switch stream {
        case .location:
            common + [
                "1000.0", "52.5", "4.5", "4.25", "3", "-3.5", "NULL", "1.5", "359.9", "1", "80.0",
                "NULL",
            ]
        case .sensors: common + ["'id'", "'{}'"]
        case .events: common + ["'type'", "'{}'"]
        }
    }

    private static func value(_ reader: inout ByteReader, sound: String) -> String {
        switch reader.index(below: 6) {
        case 1: "NULL"
        case 2: "\(Int64(bitPattern: reader.integer()))"
        case 3: real(Double(bitPattern: reader.integer()))
        case 4: "CAST(\(blob(reader.bytes())) AS TEXT)"
        case 5: blob(reader.bytes())
        default: sound
        }
    }

    /// SQLite has no literal for infinity but a number that is too large, and none for NaN.
    private static func real(_ number: Double) -> String {
        if number.isNaN { return "NULL" }
        if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
        return "\(number)"
    }

    private static func blob(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return "x'\(digits.joined())'"
    }
}
