internal import HomingBase

extension Kind where Value == String {
    /// A host name or an IP address, without a port.
    public static let host = Kind(
        "a host name or an IP address",
        parse: { (text) throws(Refusal) in
            guard isHost(text, extra: ":%") else {
                throw Refusal("\(quoted(text)) is not a host name or an IP address")
            }
            // An IPv6 address has at least two colons.
            if text.count(where: { $0 == ":" }) == 1 {
                throw Refusal("\(quoted(text)) has a port; that goes into the key \"port\"")
            }
            return text
        }, write: { $0 })
}

extension Kind where Value == String? {
    /// `http[s]://HOST[:PORT]`, or nothing. What is refused is not repeated: it may have a path, and
    /// that may be a secret.
    public static let origin = Kind(
        optional: "http://HOST or https://HOST, with a :PORT if need be", parse: checkedOrigin)

    /// The same with a path, which may be a secret.
    public static let url = Kind(
        optional: "http://HOST or https://HOST, with a :PORT and a /PATH if need be"
    ) { (text) throws(Refusal) in
        guard text.isVisibleASCII, !text.contains("#") else {
            throw Refusal("has a character that no such address has")
        }
        let start = text.firstPlace(of: "://").map(\.upperBound) ?? text.endIndex
        let end = text[start...].firstIndex { "/?".contains($0) } ?? text.endIndex
        return try checkedOrigin(String(text[..<end])) + text[end...]
    }
}

private let originForm = "allowed is http://HOST or https://HOST, with a :PORT if need be"

private func checkedOrigin(_ text: String) throws(Refusal) -> String {
    let lower = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else {
        throw Refusal("is not an http or https URL; \(originForm)")
    }
    var authority = lower.dropFirst(scheme.count)
    if authority.hasSuffix("/") { authority.removeLast() }
    guard !authority.contains("@") else {
        throw Refusal("must not hold a user name or password; \(originForm)")
    }
    guard !authority.contains(where: { "/?#".contains($0) }) else {
        throw Refusal("must not have a path; \(originForm)")
    }
    guard let (host, port) = splitAuthority(authority), isURLHost(host) else {
        throw Refusal("has no valid host; \(originForm)")
    }
    if let port, !(port.isMade(of: ASCII.digits) && 1...65_535 ~= Int(port) ?? 0) {
        throw Refusal("\(quoted(String(port))) is not a port; allowed is 1 to 65535")
    }
    return scheme + host + (port.map { ":\($0)" } ?? "")
}

/// `[::1]:8123` and `name:8123` into host and port.
private func splitAuthority(_ text: Substring) -> (host: Substring, port: Substring?)? {
    if text.hasPrefix("[") {
        guard let end = text.firstIndex(of: "]") else { return nil }
        let rest = text[text.index(after: end)...]
        guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
        return (text[...end], rest.isEmpty ? nil : rest.dropFirst())
    }
    guard let colon = text.firstIndex(of: ":") else { return (text, nil) }
    return (text[..<colon], text[text.index(after: colon)...])
}

private func isURLHost(_ host: Substring) -> Bool {
    guard host.hasPrefix("[") else { return isHost(String(host), extra: "") }
    let address = host.dropFirst().dropLast()
    return address.contains(":") && isHost(String(address), extra: ":%")
}

private func isHost(_ text: String, extra: String) -> Bool {
    text.isMade(of: ASCII.letters + ASCII.digits + ".-_" + extra)
}
