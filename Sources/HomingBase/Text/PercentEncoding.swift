extension String {
    /// Percent-encoded for a query (RFC 3986, section 2.1): letters, digits and `-_.~` stay.
    public var percentEncoded: String {
        let plain = ASCII.letters + ASCII.digits + "-_.~"
        let figures = Array("0123456789ABCDEF")
        return utf8.reduce(into: "") { result, byte in
            if plain.utf8.contains(byte) {
                result.append(Character(UnicodeScalar(byte)))
            } else {
                result += ["%", figures[Int(byte >> 4)], figures[Int(byte & 15)]]
            }
        }
    }
}

extension StringProtocol {
    /// The text without white space around it.
    public var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
