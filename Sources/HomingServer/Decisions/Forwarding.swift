internal import HomingBase

/// Sender of a request, by the connection's address and what proxies have written into
/// `X-Forwarded-For`.
struct Forwarding: Equatable {
    /// The client, or the last address of the way to the client that is known; `.unreadable` if the
    /// proxies do not name an address.
    let client: ClientAddress
    /// Whether somebody who is not trusted wrote such a field; it is ignored.
    let isUntrusted: Bool

    /// Each proxy adds at the right end whom it has the request from. What a trusted one added is
    /// true; what stands to the left of the first stranger, that stranger may have made up.
    ///
    /// - Parameters:
    ///   - peer: at the other end of the connection.
    ///   - fields: all of that name, in their order.
    ///   - proxies: who is trusted.
    init(peer: ClientAddress, fields: [String], proxies: [AddressRange]) {
        func isTrusted(_ address: ClientAddress) -> Bool {
            proxies.contains { $0.contains(address) }
        }
        guard isTrusted(peer) else {
            (client, isUntrusted) = (peer, !fields.isEmpty)
            return
        }
        (client, isUntrusted) = (Self.client(fields, isTrusted) ?? peer, false)
    }

    /// The client that trusted proxies name; `nil` where no proxy has added such a field. A text that
    /// is no address counts as a client of its own, which no proxy's exemption holds for.
    private static func client(
        _ fields: [String], _ isTrusted: (ClientAddress) -> Bool
    ) -> ClientAddress? {
        guard !fields.isEmpty else { return nil }
        var last: ClientAddress?
        for entry in fields.flatMap(\.listMembers).reversed() {
            guard let address = address(entry) else { return .unreadable }
            last = address
            if !isTrusted(address) { break }
        }
        return last ?? .unreadable
    }

    /// An address, as some proxies write it: with a port, or IPv6 in brackets.
    private static func address(_ text: String) -> ClientAddress? {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return ClientAddress(String(text[text.index(after: text.startIndex)..<end]))
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return ClientAddress(parts.count == 2 ? String(parts[0]) : text)
    }
}
