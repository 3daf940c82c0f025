import Glibc
internal import HomeAssistantAPI
import HomingCommandLine
import HomingControl
import HomingJSON

/// Data for Home Assistant, as `name=value` words or as one JSON object.
enum DataInput {
    static let option = OptionDefinition(
        "data", value: "JSON", help: "The data as a JSON object; - reads it from standard input")
    static let argument = ArgumentDefinition(
        "NAME=VALUE", .any, help: "A field of the data; may be given often")
    /// Explanation of values in a command's discussion.
    static let explanation = """
        A VALUE may be JSON: a number, true, false, null, a list, an object or a quoted text. Every \
        other VALUE is a text. 'code="007"' and code=x7 give texts, level=5 gives a number.
        """

    /// - Parameter words: what follows the command's own arguments.
    static func read(
        _ command: ParsedCommand, words: some Sequence<String>
    ) throws(ControlError) -> [String: JSONValue] {
        let words = Array(words)
        guard let json = command.value("data") else { return try object(words) }
        guard words.isEmpty else {
            throw ControlError(
                .usage, "--data and \"\(words[0])\" exclude each other", hint: "put all into --data"
            )
        }
        let text = json == "-" ? try standardInput() : json
        let hint = #"write it like --data '{"level": 5}'"#
        let value: JSONValue
        do throws(JSONError) { value = try JSON.value(of: text.utf8, exactly: true) } catch {
            throw ControlError(.usage, "--data \(error)", hint: hint)
        }
        guard case .object(let object) = value else {
            throw ControlError(.usage, "--data is no JSON object", hint: hint)
        }
        return object
    }

    /// `name=value` words as an object.
    static func object(_ words: [String]) throws(ControlError) -> [String: JSONValue] {
        do throws(JSONValue.WordsError) { return try JSONValue.object(ofWords: words) } catch {
            throw ControlError(.usage, error.message, hint: "write it like level=5")
        }
    }

    /// Number of bytes that the control socket takes in one request, at the most.
    private static let limit = 60_000

    /// All of standard input, for `-`.
    static func standardInput() throws(ControlError) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
            guard bytes.count <= limit else {
                throw ControlError(.usage, "standard input is longer than \(limit) bytes")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ControlError(.usage, "standard input is not UTF-8 text")
        }
        return text
    }
}

extension ParsedCommand {
    /// An option's value as a number greater than 0; `nil` if the option is not given.
    func positiveNumber(_ option: String) throws(ControlError) -> Double? {
        guard let text = value(option) else { return nil }
        guard let number = Double(text), number > 0, number.isFinite else {
            throw ControlError(
                .usage, "--\(option) takes a number greater than 0, not \"\(text)\"")
        }
        return number
    }
}
