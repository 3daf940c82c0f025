/// The parts of a JSON text that are replaced, in the order of the text.
struct JSONRepairs {
    /// Replacement of a part.
    enum Repair {
        case nothing
        case null
        /// A whole number as one of another kind.
        case fraction
        /// U+FFFD.
        case replacement
        /// The escape of a control character.
        case escape(UInt8)
    }

    private var repairs: [(place: Range<Int>, repair: Repair)] = []

    var isEmpty: Bool { repairs.isEmpty }

    /// - Parameter place: behind all places so far.
    mutating func put(_ repair: Repair, at place: Range<Int>) { repairs.append((place, repair)) }

    /// Returns the text with all parts replaced.
    func repaired(_ text: [UInt8]) -> [UInt8] {
        var repaired: [UInt8] = []
        repaired.reserveCapacity(text.count + repairs.count)
        var end = 0
        for (place, repair) in repairs {
            if end < place.lowerBound { repaired += text[end..<place.lowerBound] }
            switch repair {
            case .nothing: break
            case .null: repaired += "null".utf8
            case .fraction:
                repaired += text[place]
                repaired += "e0".utf8
            case .replacement: repaired += "\\ufffd".utf8
            case .escape(let byte): JSONWriter.escape(byte, to: &repaired)
            }
            end = place.upperBound
        }
        repaired += text[end...]
        return repaired
    }
}
