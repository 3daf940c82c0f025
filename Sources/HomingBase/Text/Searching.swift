/// Searching without the standard library's string processing, which would bring 1.1 MB of regular
/// expressions into each program. Texts are compared by their bytes, so that a mark which combines
/// with a character does not hide the character.
extension Collection where Element == UInt8 {
    /// Returns the first place where these bytes stand one after the other; `nil` without such a
    /// place. The time grows with the bytes of both, whatever the bytes are.
    public func firstPlace(of part: some Collection<UInt8>) -> Range<Index>? {
        let part = Array(part)
        let found =
            withContiguousStorageIfAvailable { Self.place(of: part, in: $0) }
            ?? Array(self).withUnsafeBufferPointer { Self.place(of: part, in: $0) }
        return found.map { place in
            let start = index(startIndex, offsetBy: place.lowerBound)
            return start..<index(start, offsetBy: place.count)
        }
    }

    /// Finds a part by Knuth, Morris and Pratt: no byte is looked at again after a beginning
    /// that led nowhere.
    private static func place(
        of part: [UInt8], in bytes: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        guard !part.isEmpty else { return 0..<0 }
        let again = repeats(in: part)
        var matched = 0
        for index in bytes.indices {
            while matched > 0, bytes[index] != part[matched] { matched = again[matched - 1] }
            if bytes[index] == part[matched] { matched += 1 }
            if matched == part.count { return index + 1 - matched..<index + 1 }
        }
        return nil
    }

    /// Finds for each beginning of the part how long a shorter beginning is with which the
    /// first ends.
    private static func repeats(in part: [UInt8]) -> [Int] {
        var lengths = [0]
        for byte in part.dropFirst() {
            var length = lengths[lengths.count - 1]
            while length > 0, part[length] != byte { length = lengths[length - 1] }
            lengths.append(part[length] == byte ? length + 1 : 0)
        }
        return lengths
    }
}

extension StringProtocol {
    /// Returns the first place where the text has these bytes; `nil` without such a place.
    public func firstPlace(of part: String) -> Range<String.Index>? {
        utf8.firstPlace(of: part.utf8)
    }

    /// Returns the last place where the text has these bytes, of places that do not overlap.
    /// Returns `nil` without such a place.
    public func lastPlace(of part: String) -> Range<String.Index>? {
        var last: Range<String.Index>?
        while let place = self[(last?.upperBound ?? startIndex)...].firstPlace(of: part),
            !place.isEmpty
        {
            last = place
        }
        return last
    }

    /// The pieces of the text between the places where it has these bytes.
    public func pieces(between part: String) -> [SubSequence] {
        var (pieces, rest) = ([SubSequence](), self[...])
        while let place = rest.firstPlace(of: part), !place.isEmpty {
            pieces.append(rest[..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        return pieces + [rest]
    }

    /// Whether the text has these bytes.
    public func holds(_ part: String) -> Bool { firstPlace(of: part) != nil }

    /// The text with `other` wherever it has the bytes of `part`.
    public func replacingEach(_ part: String, with other: String) -> String {
        pieces(between: part).joined(separator: other)
    }
}
