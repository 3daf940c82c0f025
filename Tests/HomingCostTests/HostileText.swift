/// Texts of a size that are dear to read: each makes another part of a reader work as hard as it can.
enum HostileText {
    /// JSON values, or the beginnings of some.
    static func json(bytes size: Int) -> [(name: String, text: [UInt8])] {
        let elements = [
            "zeros": "0,", "fractions": "1.5e-7,", "long numbers": digits(1000) + ",",
            "longer numbers": digits(1500) + ",", "numbers beyond 64 bits": digits(20) + ",",
            "numbers beyond Double": "1e999,", "words": "true,", "empty texts": "\"\",",
            "texts": "\"abcdefgh\",", "escapes": "\"\\u00e9\",", "halves of pairs": "\"\\ud800\",",
            "control characters": "\"\u{1}\",", "empty arrays": "[],", "empty objects": "{},",
            "commas": "[0,],", "pairs": "[[]],", "objects": "{\"a\":{\"b\":0}},", "emoji": "\"😀\",",
        ]
        var texts = elements.map { name, element in
            (name, list("[", "]", size) { _ in element })
        }
        texts += elements.map { name, element in
            ("\(name), 60 deep", nested(element, depth: 60, size))
        }
        texts += [
            ("names", list("{", "}", size) { "\"\(String($0, radix: 36))\":0," }),
            ("equal names", list("{", "}", size) { _ in "\"a\":0," }),
            ("names with zero bytes", list("{", "}", size) { _ in "\"\\u0000\":0," }),
            ("objects 60 deep", list("[", "]", size) { _ in objects(60) + "," }),
            ("escapes in a text", quoted("\\u00e9", size)), ("tabs in a text", quoted("\t", size)),
            ("halves in a text", quoted("\\udc00", size)),
            ("zero bytes in a text", quoted("\\u0000", size)),
            ("letters in a text", quoted("é", size)), ("a text", quoted("a", size)),
        ]
        for (name, text) in marks(size) {
            texts.append(("\(name) in a text", Array("\"\(text)\"".utf8)))
            texts.append(("\(name) in a name", Array("{\"\(text)\":0}".utf8)))
        }
        texts += ["[", "{\"a\":", "\"", "\\", "0", "-", " ", "[0,", "\u{0}", "e", "}"].map {
            ("nothing but \($0)", repeated($0, size))
        }
        texts.append(("bytes that are not UTF-8", [UInt8](repeating: 0xFF, count: size)))
        return texts.map { (name: $0.0, text: Array($0.1.prefix(size))) }
    }

    /// Texts that are dear to compare, to hash, or to cut into characters.
    static func marks(_ size: Int) -> [(name: String, text: String)] {
        let size = size - 8
        let (above, below) = ("\u{301}", "\u{327}")
        let half = size / 2 / above.utf8.count
        let descending = "e" + String(repeating: above, count: half)
        return [
            ("marks in falling order", descending + String(repeating: below, count: half)),
            ("marks by turns", "e" + String(repeating: above + below, count: half)),
            ("marks that are two", "e" + String(repeating: "\u{344}", count: half * 2)),
            ("flags", String(repeating: "\u{1F1E9}", count: size / 4)),
            ("joined people", String(repeating: "\u{1F469}\u{200D}", count: size / 7)),
            ("joined letters", String(repeating: "\u{915}\u{94D}", count: size / 6)),
            ("syllables without end", String(repeating: "\u{1100}", count: size / 3)),
        ]
    }

    private static func digits(_ count: Int) -> String { String(repeating: "9", count: count) }

    private static func repeated(_ part: String, _ size: Int) -> [UInt8] {
        Array(String(repeating: part, count: size / part.utf8.count).utf8)
    }

    private static func list(
        _ opening: String, _ closing: String, _ size: Int, _ element: (Int) -> String
    ) -> [UInt8] {
        var text = opening
        var index = 0
        while text.utf8.count + element(index).utf8.count + 1 < size {
            text += element(index)
            index += 1
        }
        if text.hasSuffix(",") { text.removeLast() }
        return Array((text + closing).utf8)
    }

    private static func nested(_ element: String, depth: Int, _ size: Int) -> [UInt8] {
        let inside = list("[", "]", size - 2 * depth) { _ in element }
        let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        return Array(repeating: open, count: depth) + inside + Array(repeating: close, count: depth)
    }

    private static func objects(_ depth: Int) -> String {
        String(repeating: "{\"a\":", count: depth) + "0" + String(repeating: "}", count: depth)
    }

    private static func quoted(_ part: String, _ size: Int) -> [UInt8] {
        [UInt8(ascii: "\"")] + repeated(part, size - 2) + [UInt8(ascii: "\"")]
    }
}
