internal import CCurl
package import HomingBase

/// Reads `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The seconds it stands for at `unixTime`: a whole number of them, or the time until an HTTP
    /// date; 0 for one that has passed. `nil` for anything else.
    package static func seconds(_ text: String, unixTime: Seconds) -> Seconds? {
        let text = text.drop { $0 == " " || $0 == "\t" }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let isNumber = !digits.isEmpty && text[digits.endIndex...].allSatisfy { $0 == " " }
        if isNumber { return Seconds(digits) }
        // curl_getdate takes a bare number for a date without separators; a date has letters.
        guard text.contains(where: \.isLetter), CurlLibrary.isReady else { return nil }
        let date = homing_curl_getdate(String(text))
        return date < 0 ? nil : max(0, Seconds(date) - unixTime)
    }
}
