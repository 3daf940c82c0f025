public import HomingJSON

/// Words that people write on a command line: `brightness=120 on=true name=Kitchen`.
extension JSONValue {
    /// Reason why words are no pairs.
    public struct WordsError: Error, Equatable, Sendable {
        /// A sentence for people.
        public let message: String
    }

    /// The value a word stands for: a number, `true`, `false`, `null`, a list, an object or a quoted
    /// text if it is one in JSON; any other word is a text.
    public init(word: String) {
        self = (try? JSON.value(of: word.utf8, exactly: true)) ?? .string(word)
    }

    /// An object of `name=value` pairs, each value as by `init(word:)`; what follows the first `=`
    /// belongs to the value.
    public static func object(
        ofWords words: [String]
    ) throws(WordsError) -> [String: JSONValue] {
        var object: [String: JSONValue] = [:]
        for word in words {
            guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
                throw WordsError(message: "\"\(word)\" is no name=value")
            }
            let name = String(word[..<equals])
            guard object[name] == nil else {
                throw WordsError(message: "\"\(name)\" is given twice")
            }
            object[name] = JSONValue(word: String(word[word.index(after: equals)...]))
        }
        return object
    }
}
