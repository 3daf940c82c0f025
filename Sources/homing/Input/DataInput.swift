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
    /// What a command's discussion says about values.
    static let explanation = """
        A VALUE that is a number, true, false, null, a list, an object or a quoted text in JSON is \
        taken as such, everything else as text: 'code="007"' and code=x7 are texts, level=5 is a number.
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
        let text = json == "-" ? try StandardInput.readAll() : json
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
}
