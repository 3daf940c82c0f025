/// Rules for the name of a device in Home Assistant.
public enum DeviceName {
    /// Advice for a name with a problem.
    public static let advice =
        "give a name of 1 to 255 characters. An arrow key makes a character that no name has"

    /// Returns the reason why Home Assistant would give the device another name, or why the name would
    /// not be one line in messages; `nil` for a usable name.
    public static func problem(with name: String) -> String? {
        guard !name.trimmed.isEmpty, name.unicodeScalars.count <= 255 else {
            return "a device's name has 1 to 255 characters, and not only blanks"
        }
        guard SafeText.line(name) != name else { return nil }
        return "the device's name has a line end or another control character"
    }
}
