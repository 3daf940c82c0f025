internal import HomingBase
internal import HomingHealth

/// The journal's message catalogue: what `journalctl -x` adds to each warning.
enum JournalCatalog {
    /// An entry for each warnable, in the format of systemd's catalogue files.
    static let text: String = {
        let head = """
            # What "journalctl -x" adds to the warnings of homingd.
            # Made from the table of warnings by `make documents`; changes here are lost.
            """
        return ([head] + Warnable.all.map(entry)).joined(separator: "\n\n") + "\n"
    }()

    private static func entry(_ warnable: Warnable) -> String {
        let patience = duration(warnable.visibleAfter).map {
            " The warning appears after \($0)."
        }
        let sudo =
            differs(warnable, for: .system) ? " For the system's service, type sudo first." : ""
        let user = differs(warnable, for: .user) ? " For a user's own service, add --user." : ""
        let body = """
            What to do: \(warnable.hint).\(sudo)\(user)

            "homing status" shows how things are now. When the problem is resolved, the journal says \
            so.\(patience ?? "")
            """
        return """
            -- \(warnable.messageID)
            Subject: \(warnable.text)
            Defined-By: Homing
            Documentation: man:homingd(8)

            \(wrapped(body, width: 76).joined(separator: "\n"))
            """
    }

    /// Whether this owner of a daemon types the hint in another way.
    private static func differs(_ warnable: Warnable, for owner: DaemonOwner) -> Bool {
        owner.typed(warnable.hint) != warnable.hint
    }

    private static func duration(_ seconds: Seconds) -> String? {
        switch Int(seconds / 60) {
        case 0: nil
        case 60: "an hour"
        case let minutes: "\(minutes) minutes"
        }
    }
}
