extension String {
    /// Percent-encoded for a query (RFC 3986, section 2.1): letters, digits and `-_.~` stay.
    public var percentEncoded: String {
        let digits = Array("0123456789ABCDEF")
        return utf8.reduce(into: "") { result, byte in
            let character = Character(UnicodeScalar(byte))
            if byte < 128, character.isLetter || character.isNumber || "-_.~".contains(character) {
                result.append(character)
            } else {
                result += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}

extension StringProtocol {
    /// The text without white space around it.
    public var trimmed: String {
        let characters = drop { $0.isWhitespace }
        return String(characters.reversed().drop { $0.isWhitespace }.reversed())
    }
}
