internal import HomingBase

extension Configuration {
    /// `agent.conf.example`: every section and key with its documentation and default, commented
    /// out, so that the file as it stands changes nothing.
    ///
    /// `homing config example` prints it; a test compares it with the file in the repository.
    public static func example() -> String {
        let header = """
            Configuration of Homing: /etc/homing/agent.conf, or \
            $XDG_CONFIG_HOME/homing/agent.conf for a user's own daemon. Files agent.conf.d/*.conf \
            beside it are read after it, in the order of their names; what they set replaces \
            what came before.

            Every key has a default, shown here behind a "#". Numbers are whole, in the unit \
            named; switches are true or false; lists are separated by ";". A comment has a line of \
            its own. No password, token or other secret belongs here.

            "homing config check" says what is wrong with these files; "systemctl reload homing" \
            puts changes into effect.
            """
        let parts = [commented(header)] + sections.map(exampleSection)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static func exampleSection(_ section: Section) -> String {
        let head = commented(section.documentation) + "\n[\(section.name)]"
        return ([head] + section.keys.map(exampleKey)).joined(separator: "\n\n")
    }

    private static func exampleKey(_ key: Key) -> String {
        let value = key.defaultText
        let assignment = value.isEmpty ? "#\(key.name) =" : "#\(key.name) = \(value)"
        return commented("\(key.documentation)\nAllowed: \(key.allowed).") + "\n" + assignment
    }

    private static func commented(_ text: String) -> String {
        wrapped(text, width: 78).map { $0.isEmpty ? "#" : "# \($0)" }.joined(separator: "\n")
    }
}
