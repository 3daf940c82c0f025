/// The text in quotation marks, on one line and of bounded length: control characters and blanks
/// that cannot be told from a space are written as escapes.
package func quoted(_ text: String) -> String { "\"\(shortened(text))\"" }

/// The same without the quotation marks.
package func shortened(_ text: String, to limit: Int = 60) -> String {
    var result = ""
    for scalar in text.prefix(limit).unicodeScalars {
        let invisible =
            scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
        if scalar != " " && (isControl(scalar) || invisible) {
            result += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return text.count > limit ? result + "…" : result
}

/// Whether it is one of the control characters of ASCII or Latin-1.
package func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
}

/// `a`, `a or b`, `a, b or c`.
package func listed(_ words: [String], _ conjunction: String) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}
