internal import HomingBase

extension String {
    /// The members of a field that is a list: the texts between commas, without blanks. RFC 9110,
    /// section 5.6.1.
    ///
    /// Bytes are split, not characters: a mark that joins the comma would hide the comma.
    var listMembers: [String] {
        utf8.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self).trimmed }
            .filter { !$0.isEmpty }
    }
}
