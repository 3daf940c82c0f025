internal import CGLib

/// Checksums, by GLib.
public enum Digest {
    /// The 20 bytes of SHA-1: for protocols that ask for it and for damage, not for secrets.
    public static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        guard let sum = g_checksum_new(G_CHECKSUM_SHA1) else {
            preconditionFailure("GLib has no SHA-1")
        }
        defer { g_checksum_free(sum) }
        g_checksum_update(sum, bytes, gssize(bytes.count))
        var digest = [UInt8](repeating: 0, count: 20)
        var size = gsize(digest.count)
        g_checksum_get_digest(sum, &digest, &size)
        return digest
    }
}
