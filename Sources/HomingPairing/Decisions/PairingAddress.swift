internal import HomingBase

/// Address of their Home Assistant that people type or paste.
public enum PairingAddress {
    /// Home Assistant's own port, for an address that names neither scheme nor port.
    static let defaultPort = 8123

    /// `SCHEME://HOST[:PORT]`, or `nil` if the text is no such address.
    ///
    /// The path of a page that was open in a browser is left out, as Home Assistant is always at the
    /// root. A user or a password in it is refused: it would be stored, and shown.
    public static func base(_ text: String) -> String? {
        let typed = text.trimmed
        let isNamed = typed.holds("://")
        let url = isNamed ? typed : "http://\(typed)"
        guard url.isVisibleASCII, let address = WebAddress(url),
            let scheme = url.firstIndex(of: ":")
        else { return nil }
        let rest = url[url.index(scheme, offsetBy: 3)...]
        let authority = String(rest.prefix { !"/?#".contains($0) })
        let given = port(of: authority)
        // A host that begins so is an option that was typed as an answer.
        guard !WebAddress.holdsLogin(text), !authority.hasPrefix("-"),
            given.map({ (UInt16($0) ?? 0) > 0 }) ?? true
        else { return nil }
        let port = isNamed || given != nil ? "" : ":\(defaultPort)"
        return "\(address.isTLS ? "https" : "http")://\(authority.lowercased())\(port)"
    }

    private static func port(of authority: String) -> Substring? {
        let afterAddress = authority.split(separator: "]", omittingEmptySubsequences: false).last
        guard let text = afterAddress, let colon = text.lastIndex(of: ":") else { return nil }
        return text[text.index(after: colon)...]
    }
}
