import HomingCommandLine
import HomingControl

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
