internal import HomingBase

/// The head of a request for a WebSocket. RFC 6455, section 4.2.1.
struct UpgradeHead {
    var method: String
    var version: String
    var hasBody: Bool
    /// All values of `Upgrade`.
    var upgrades: [String]
    /// All values of `Connection`.
    var connections: [String]
    /// All values of `Sec-WebSocket-Version`.
    var versions: [String]
    /// All values of `Sec-WebSocket-Key`.
    var keys: [String]

    /// The client's key.
    ///
    /// - Parameter isKey: whether a text is the Base64 of 16 bytes.
    /// - Throws: why this is no request for a WebSocket.
    func key(isKey: (String) -> Bool) throws(ServerRefusal) -> String {
        func has(_ fields: [String], _ token: String) -> Bool {
            fields.flatMap(\.listMembers).contains { $0.lowercased() == token }
        }
        guard has(upgrades, "websocket") else { throw .upgradeNeeded }
        guard has(connections, "upgrade") else {
            throw .noWebSocket("its Connection does not say Upgrade")
        }
        guard method == "GET" else { throw .noWebSocket("its method is not GET") }
        guard version == "HTTP/1.1" else { throw .noWebSocket("it is not of HTTP/1.1") }
        guard !hasBody else { throw .noWebSocket("it has a body") }
        guard versions.count == 1, versions[0].trimmed == "13" else { throw .upgradeNeeded }
        guard keys.count == 1, isKey(keys[0]) else {
            throw .noWebSocket("its Sec-WebSocket-Key is not of 16 bytes")
        }
        return keys[0]
    }
}
