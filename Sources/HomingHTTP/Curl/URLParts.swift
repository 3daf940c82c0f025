internal import CCurl
internal import HomingBase

/// A URL as libcurl reads it: what may be shown of it, and what may not. curl_url(3).
package struct URLParts {
    /// The host, with the port if the URL names one.
    package let server: String
    /// With its leading slash; what is asked of the server, but for the query.
    package let path: String
    /// Everything else, the longest first: paths and queries hold keys, users have passwords.
    private let secrets: [String]
    /// Whether libcurl is there to say which parts are secrets.
    private let isRead: Bool

    package init(_ url: String) {
        guard CurlLibrary.isReady else {
            (server, path, secrets, isRead) = ("the server", "", [], false)
            return
        }
        isRead = true
        let handle = homing_curl_url()
        defer { homing_curl_url_cleanup(handle) }
        homing_curl_url_set(handle, CURLUPART_URL, url, UInt32(CURLU_PATH_AS_IS))
        func part(_ part: CURLUPart) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard homing_curl_url_get(handle, part, &text) == CURLUE_OK, let text else {
                return nil
            }
            defer { homing_curl_free(text) }
            return String(cString: text)
        }
        let port = part(CURLUPART_PORT).map { ":\($0)" } ?? ""
        server = part(CURLUPART_HOST).map { $0 + port } ?? "the server"
        path = part(CURLUPART_PATH) ?? ""
        let others = [CURLUPART_QUERY, CURLUPART_FRAGMENT, CURLUPART_USER, CURLUPART_PASSWORD]
        // Short pieces of a path are words like "api", which a text may hold for its own reasons.
        let pieces = path.split(separator: "/").map(String.init).filter { $0.utf8.count >= 8 }
        secrets = ([path] + others.compactMap(part) + pieces)
            .filter { $0.utf8.count > 1 }
            .sorted { $0.utf8.count > $1.utf8.count }
    }

    /// The text without the secrets of this URL, and without any URL at all.
    package func redacted(_ text: String) -> String {
        guard isRead else { return "…" }
        let words = text.split(separator: " ").map { $0.holds("://") ? "…" : String($0) }
        return secrets.reduce(words.joined(separator: " ")) { $0.replacingEach($1, with: "…") }
    }
}
