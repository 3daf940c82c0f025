/// A JSON text that jansson can be given: bounded, and corrected where jansson would refuse all of it
/// for one value that it cannot hold, or for a slip that other readers let pass: a comma after the
/// last element, a control character in a text.
///
/// It is looked at once, byte by byte. Whether it is JSON is for jansson to say.
struct JSONText {
    /// The text, corrected.
    private(set) var bytes: [UInt8]

    private let limits: JSONLimits
    private var position = 0
    private var depth = 0
    private var values = 0
    /// Whether an element ended last, so that a comma may come.
    private var endsElement = false
    /// The place of a comma between an element and what comes, as long as only blanks came.
    private var strayComma: Int?
    private var repairs = JSONRepairs()

    /// - Parameter exactly: throw where something would have to be corrected.
    init(_ text: [UInt8], within limits: JSONLimits, exactly: Bool) throws(JSONError) {
        self.limits = limits
        bytes = text
        if !UTF8Repair.isValid(text) {
            guard !exactly else { throw .notExact }
            bytes = UTF8Repair.repaired(text)
        }
        try scan()
        guard !repairs.isEmpty else { return }
        guard !exactly else { throw .notExact }
        bytes = repairs.repaired(bytes)
    }

    private mutating func scan() throws(JSONError) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D:
                position += 1
                continue
            case UInt8(ascii: ","):
                strayComma = endsElement ? position : nil
                endsElement = false
                position += 1
                continue
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
            case UInt8(ascii: "a")...UInt8(ascii: "z"): try word()
            default: try punctuation()
            }
            strayComma = nil
        }
    }

    private mutating func punctuation() throws(JSONError) {
        endsElement = false
        switch bytes[position] {
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            try count()
            endsElement = false
            depth += 1
            guard depth <= limits.depth else { throw .tooDeep }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            if let comma = strayComma { repairs.put(.nothing, at: comma..<comma + 1) }
            endsElement = true
            depth -= 1
        default: break
        }
        position += 1
    }

    private mutating func count() throws(JSONError) {
        endsElement = true
        values += 1
        guard values <= limits.values else { throw .tooMany }
    }

    private mutating func word() throws(JSONError) {
        try count()
        skip { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    }

    private mutating func skip(while isPart: (UInt8) -> Bool) {
        while position < bytes.count, isPart(bytes[position]) { position += 1 }
    }
}

/// Numbers: jansson holds whole ones of 64 bits, and finite others.
extension JSONText {
    /// Characters of a number that is looked at: no number that means something is longer.
    private static let longestNumber = 1024
    /// Digits that fit into 64 bits, whichever they are.
    private static let safeDigits = 18

    private mutating func number() throws(JSONError) {
        try count()
        let start = position
        var isWhole = true
        skip { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return true
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"):
                isWhole = false
                return true
            default: return false
            }
        }
        let place = start..<position
        guard !isWhole || place.count > Self.safeDigits else { return }
        if place.count > Self.longestNumber { return repairs.put(.null, at: place) }
        let digits = String(decoding: bytes[place], as: UTF8.self)
        if isWhole && Int64(digits) != nil { return }
        guard let value = Double(digits) else { return }
        if !value.isFinite {
            repairs.put(.null, at: place)
        } else if isWhole {
            repairs.put(.fraction, at: place)
        }
    }
}

/// Strings: jansson holds no lone half of a surrogate pair, and no zero byte in a name.
extension JSONText {
    /// Part of a string that jansson refuses.
    private enum Unholdable {
        /// The escape of a zero byte, which only a text may hold.
        case zero(Range<Int>)
        /// The escape of half a surrogate pair.
        case half(Range<Int>)
        /// A control character as it is.
        case control(Range<Int>, UInt8)
    }

    private static let escapeLength = 6

    private mutating func string() throws(JSONError) {
        try count()
        position += 1
        var found: [Unholdable] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            switch bytes[position] {
            case UInt8(ascii: "\\"): escape(&found)
            case 0..<0x20:
                found.append(.control(position..<position + 1, bytes[position]))
                position += 1
            default: position += 1
            }
        }
        position += 1
        guard !found.isEmpty else { return }
        let isName = isFollowedByColon
        for part in found {
            switch part {
            case .zero(let place): if isName { repairs.put(.replacement, at: place) }
            case .half(let place): repairs.put(.replacement, at: place)
            case .control(let place, let byte):
                repairs.put(byte == 0 && isName ? .replacement : .escape(byte), at: place)
            }
        }
    }

    /// Whether the string that ends here is a member's name.
    private var isFollowedByColon: Bool {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        return bytes[min(position, bytes.count)...].first { !blanks.contains($0) }
            == UInt8(ascii: ":")
    }

    private mutating func escape(_ found: inout [Unholdable]) {
        let place = position..<position + Self.escapeLength
        guard let unit = codeUnit(at: position) else {
            position += 2
            return
        }
        position = place.upperBound
        switch unit {
        case 0: found.append(.zero(place))
        case 0xD800...0xDBFF:
            if let next = codeUnit(at: position), 0xDC00...0xDFFF ~= next {
                position += Self.escapeLength
            } else {
                found.append(.half(place))
            }
        case 0xDC00...0xDFFF: found.append(.half(place))
        default: break
        }
    }

    /// The code unit of the escape `\u0000` there, if there is one.
    private func codeUnit(at place: Int) -> UInt16? {
        guard place + Self.escapeLength <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
            bytes[place + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[place + 2..<place + Self.escapeLength] {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
