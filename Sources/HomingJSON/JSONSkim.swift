extension JSON {
    /// Reads one text of the outermost object, and unpacks nothing else.
    ///
    /// The result means nothing where the bytes are not JSON.
    ///
    /// - Returns: the text that `value(of:)` has under this name. `nil` where the object has no such
    ///   text, where the text is not printable ASCII, and where a name has an escape.
    public static func openText(of name: String, in bytes: [UInt8]) -> String? {
        var name = name
        return name.withUTF8 { name in
            bytes.withUnsafeBufferPointer { bytes in
                var skim = JSONSkim(bytes: bytes, name: name)
                return skim.find()
            }
        }
    }
}

/// A walk over a JSON text. It compares the strings of the outermost object, and copies nothing.
private struct JSONSkim {
    /// Result of the walk so far.
    private enum Finding {
        case nothing
        /// The place of the text, which is printable ASCII.
        case text(Range<Int>)
        /// A name with escapes, which may be the name that is asked for.
        case unclear
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let name: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var depth = 0
    /// Whether a value of the outermost object comes, not a name.
    private var isAtValue = false
    /// Whether the last name is the name that is asked for.
    private var isWanted = false
    private var finding = Finding.nothing

    init(bytes: UnsafeBufferPointer<UInt8>, name: UnsafeBufferPointer<UInt8>) {
        (self.bytes, self.name) = (bytes, name)
    }

    mutating func find() -> String? {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): string()
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ":") where depth == 1: isAtValue = true
            case UInt8(ascii: ",") where depth == 1: isAtValue = false
            default: break
            }
            position += 1
        }
        guard case .text(let place) = finding else { return nil }
        return String(decoding: bytes[place], as: UTF8.self)
    }

    /// Goes to the closing quote.
    private mutating func string() {
        position += 1
        let start = position
        var isPlain = true
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            let byte = bytes[position]
            if !(0x20..<0x7F).contains(byte) || byte == UInt8(ascii: "\\") { isPlain = false }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard depth == 1 else { return }
        note(start..<min(position, bytes.count), isPlain)
    }

    /// Notes a string of the outermost object. The last of several members of a name counts.
    private mutating func note(_ place: Range<Int>, _ isPlain: Bool) {
        if case .unclear = finding { return }
        if isAtValue {
            guard isWanted else { return }
            finding = isPlain ? .text(place) : .nothing
        } else {
            isWanted = bytes[place].elementsEqual(name)
            if isWanted { finding = .nothing }
            if !isPlain { finding = .unclear }
        }
    }
}
