/// The parts of a JSON text that are replaced, in the order of the text.
struct JSONMends {
    /// What stands in place of a part.
    enum Mend {
        case nothing
        case null
        /// A whole number as one of another kind.
        case fraction
        /// U+FFFD.
        case replacement
        /// The escape of a control character.
        case escape(UInt8)
    }

    private var mends: [(place: Range<Int>, mend: Mend)] = []

    var isEmpty: Bool { mends.isEmpty }

    /// - Parameter place: behind all places so far.
    mutating func put(_ mend: Mend, at place: Range<Int>) { mends.append((place, mend)) }

    /// Returns the text with all parts replaced.
    func mended(_ text: [UInt8]) -> [UInt8] {
        var mended: [UInt8] = []
        mended.reserveCapacity(text.count + mends.count)
        var end = 0
        for (place, mend) in mends {
            if end < place.lowerBound { mended += text[end..<place.lowerBound] }
            switch mend {
            case .nothing: break
            case .null: mended += "null".utf8
            case .fraction:
                mended += text[place]
                mended += "e0".utf8
            case .replacement: mended += "\\ufffd".utf8
            case .escape(let byte): JSONWriter.escape(byte, to: &mended)
            }
            end = place.upperBound
        }
        mended += text[end...]
        return mended
    }
}
