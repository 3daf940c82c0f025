/// Writes JSON text into bytes, the names in an object in their order.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let isPretty: Bool
    private var depth = 0

    init(isPretty: Bool) { self.isPretty = isPretty }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .boolean(let value): bytes += value ? "true".utf8 : "false".utf8
        case .whole(let value): bytes += String(value).utf8
        case .number(let value): write(value)
        case .string(let value): write(value)
        case .array(let values):
            list("[", "]", values) { writer, value in writer.write(value) }
        case .object(let values):
            list("{", "}", values.sorted { $0.key < $1.key }) { writer, member in
                writer.write(member.key)
                writer.bytes += writer.isPretty ? " : ".utf8 : ":".utf8
                writer.write(member.value)
            }
        }
    }

    // MARK: An object, member by member

    mutating func reserve(_ capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func open() { bytes.append(UInt8(ascii: "{")) }

    mutating func close() { bytes.append(UInt8(ascii: "}")) }

    /// The name of the next member, which needs no escape.
    mutating func member(_ name: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes += $0 }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// An array of two numbers.
    mutating func write(_ first: Double, _ second: Double) {
        bytes.append(UInt8(ascii: "["))
        write(first)
        bytes.append(UInt8(ascii: ","))
        write(second)
        bytes.append(UInt8(ascii: "]"))
    }

    // MARK: Values

    private mutating func list<Element>(
        _ opening: String, _ closing: String, _ elements: [Element],
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        bytes += opening.utf8
        depth += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            startLine()
            write(&self, element)
        }
        depth -= 1
        if !elements.isEmpty || isPretty { startLine() }
        bytes += closing.utf8
    }

    private mutating func startLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * depth)
    }

    /// JSON has no infinity, and none is in a value that was read; in place of one stands `null`.
    private mutating func write(_ number: Double) {
        guard number.isFinite else {
            bytes += "null".utf8
            return
        }
        var text = number.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        bytes += text.utf8
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// Appends the escape of a control character.
    static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes += "u00".utf8
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }

    private mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { write(text: $0) }
    }

    /// Writes a text of UTF-8.
    mutating func write(text: [UInt8]) { text.withUnsafeBufferPointer { write(text: $0) } }

    /// Writes a text; what needs no escape is copied piece by piece.
    private mutating func write(text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        // The first byte that is not written yet.
        var start = 0
        for index in text.indices where !Self.isPlain(text[index]) {
            bytes += UnsafeBufferPointer(rebasing: text[start..<index])
            write(text[index])
            start = index + 1
        }
        bytes += UnsafeBufferPointer(rebasing: text[start...])
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func write(_ byte: UInt8) {
        if byte < 0x20 { return Self.escape(byte, to: &bytes) }
        if !Self.isPlain(byte) { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
    }

    /// Whether a byte of a text is written as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
