internal import Glibc

/// Whom to trust, and what to show to a server that asks who we are.
public struct TLSOptions: Equatable, Sendable {
    /// A PEM file of certificates to trust in addition to the system's own, so that an instance with a
    /// certificate of its owner's and Home Assistant Cloud work side by side.
    public var caFile: String?
    /// A PEM file: the client certificate, then those between it and its root.
    public var clientCertificate: String?
    /// A PEM file without a pass phrase; may be left out when `clientCertificate` holds the key too.
    public var clientKey: String?

    /// The files are read with each new connection.
    public init(
        caFile: String? = nil, clientCertificate: String? = nil, clientKey: String? = nil
    ) {
        self.caFile = caFile
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
    }

    /// Problem with the files, for people; each file is tried in turn.
    var unreadableFile: String? {
        Self.problem("CA file", caFile) ?? Self.problem("client certificate", clientCertificate)
            ?? Self.problem("client key", clientKey)
    }

    /// Returns why the file cannot be read; `nil` where it can, or where no file is named.
    private static func problem(_ name: String, _ path: String?) -> String? {
        guard let path, access(path, R_OK) != 0 else { return nil }
        return "the \(name) \(path) cannot be read: \(String(cString: strerror(errno)))"
    }
}
