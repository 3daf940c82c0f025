internal import HomingBase

extension Kind where Value == [String] {
    /// Texts separated by `;`; none by default. `check` turns each into what is kept.
    static func list(
        _ allowed: String, check: @escaping @Sendable (String) throws(Refusal) -> String
    ) -> Kind {
        Kind(
            allowed,
            read: { (raw) throws(Refusal) in
                var items: [String] = []
                for item in try raw.list() {
                    guard !item.isEmpty else {
                        throw Refusal("has an empty entry; allowed is \(allowed)")
                    }
                    items.append(try check(item))
                }
                return items
            }, write: { $0.map(escapedItem).joined(separator: ";") })
    }

    /// Any texts.
    static let names = list("names separated by \";\"") { (name) throws(Refusal) in name }

    /// IEEE 802.11 bounds an SSID to 32 bytes; those that are no UTF-8 can be named by BSSID only.
    static let ssids = list("names of 1 to 32 bytes separated by \";\"") { (name) throws(Refusal) in
        guard name.utf8.count <= 32 else {
            throw Refusal(
                "\(quoted(name)) is \(name.utf8.count) bytes long; an SSID has at most 32")
        }
        return name
    }

    /// Six hexadecimal octets with colons, kept in upper case, as NetworkManager writes them.
    static let bssids = list("addresses like AA:BB:CC:DD:EE:FF separated by \";\"") {
        (address) throws(Refusal) in
        let octets = address.utf8.split(separator: 0x3A, omittingEmptySubsequences: false)
        let valid =
            octets.count == 6
            && octets.allSatisfy { $0.count == 2 && $0.allSatisfy(isHexadecimalDigit) }
        guard valid else {
            throw Refusal(
                "\(quoted(address)) is not a BSSID; allowed is AA:BB:CC:DD:EE:FF, several "
                    + "separated by \";\"")
        }
        return address.uppercased()
    }
}

extension Kind where Value == [String] {
    /// Unique ids of sensors, as docs/sensors.md lists them, or parts of them; or `all`.
    static let sensors = list("unique ids of sensors, or all, separated by \";\"") {
        (id) throws(Refusal) in
        let isID = id.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x5F, 0x61...0x7A: true
            default: false
            }
        }
        guard isID else {
            throw Refusal(
                "\(quoted(id)) is not a unique id, which has small letters, digits and _ only")
        }
        return id
    }
}

private func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
}

/// Back to how the file has it: GKeyFile's escapes, and blanks at the ends that it would drop.
private func escapedItem(_ item: String) -> String {
    var text = ""
    for (index, character) in item.enumerated() {
        let atEnd = index == 0 || index == item.count - 1
        switch character {
        case "\\": text += #"\\"#
        case ";": text += #"\;"#
        case " " where atEnd: text += #"\s"#
        default: text.append(character)
        }
    }
    return text
}
