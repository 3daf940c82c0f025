public import HomingBase

/// Question to a server.
public struct HTTPRequest: Equatable, Sendable {
    /// Method of the request.
    public enum Method: Equatable, Sendable {
        case get
        case post
    }

    /// `http` or `https`. Paths and queries are secret (a webhook id is a key to the house), so no
    /// failure repeats them.
    public var url: String
    /// Method of the request.
    public var method: Method
    /// Sent with `post` alone.
    public var body: [UInt8]
    /// Goes out as `Authorization: Bearer`; to this URL's own server only, as no redirect is followed.
    public var bearerToken: String?
    /// Content type of a `post`'s body; `nil` names none, which Home Assistant's webhooks take too.
    public var contentType: String?
    /// Whether the request has the client's `User-Agent`, which Home Assistant's webhooks do not read.
    public var namesProgram: Bool
    /// Seconds from `send` to the last byte of the answer.
    public var timeout: Seconds
    /// Part of the timeout for the name, the connection and the TLS handshake.
    public var connectTimeout: Seconds
    /// Whether it needs a connection of its own: a warm one may turn out to be dead only when
    /// libcurl has sent on it, and then it sends again, which what acts must not.
    public var needsNewConnection = false
    /// Whether the server may be on this very machine or on its own link (169.254, fe80::). Not where
    /// a stranger chose the URL: how long it takes would tell which ports are open.
    public var mayReachThisMachine = true

    /// Times in seconds; those that are no times or longer than a day are brought into range.
    public init(
        url: String, method: Method = .get, body: [UInt8] = [], bearerToken: String? = nil,
        contentType: String? = "application/json", namesProgram: Bool = true,
        timeout: Seconds = 30, connectTimeout: Seconds = 10
    ) {
        self.url = url
        self.method = method
        self.body = body
        self.bearerToken = bearerToken
        self.contentType = contentType
        self.namesProgram = namesProgram
        self.timeout = timeout
        self.connectTimeout = connectTimeout
    }

    /// A `post` of this body, JSON unless `contentType` says otherwise.
    public static func post(_ url: String, _ body: [UInt8]) -> HTTPRequest {
        HTTPRequest(url: url, method: .post, body: body)
    }

    /// A form, as browsers send it.
    public static func form(_ url: String, _ fields: [(name: String, value: String)]) -> HTTPRequest
    {
        let pairs = fields.map { "\($0.name)=\($0.value.percentEncoded)" }
        return HTTPRequest(
            url: url, method: .post, body: Array(pairs.joined(separator: "&").utf8),
            contentType: "application/x-www-form-urlencoded")
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// Description without URL, body and token.
    public var description: String { "HTTPRequest(\(method), \(body.count) B)" }
    /// Mirror without children: the request shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HTTPRequest {
    /// The header lines as libcurl takes them; a name alone takes a default of libcurl's away.
    ///
    /// `Expect` would cost a round trip, `Accept: */*` thirteen bytes. Without a type of ours libcurl
    /// would say that the body is a form.
    var headerLines: [String] {
        var lines = ["Accept:"]
        if method == .post {
            lines += ["Expect:", contentType.map { "Content-Type: \($0)" } ?? "Content-Type:"]
        }
        if !namesProgram { lines.append("User-Agent:") }
        if let bearerToken { lines.append("Authorization: Bearer \(bearerToken)") }
        return lines
    }

    /// `timeout` as libcurl can take it: it counts whole milliseconds, and 0 as "never".
    var boundedTimeout: Seconds { HTTPRequest.bounded(timeout) }

    /// `connectTimeout` as libcurl can take it, and within the other.
    var boundedConnectTimeout: Seconds { min(boundedTimeout, HTTPRequest.bounded(connectTimeout)) }

    private static func bounded(_ seconds: Seconds) -> Seconds {
        seconds.isNaN ? 0.001 : max(0.001, min(seconds, 86400))
    }

    /// Whether the request's head differs from another's in nothing but the URL and the length.
    func hasHeaders(of other: HTTPRequest) -> Bool {
        method == other.method && contentType == other.contentType
            && namesProgram == other.namesProgram && bearerToken == other.bearerToken
    }

    /// Whether the URL begins with it, in letters of either case.
    func hasScheme(_ scheme: String) -> Bool {
        url.utf8.count > scheme.utf8.count
            && zip(url.utf8, scheme.utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    /// Defect that makes the request unfit to be sent, if any. libcurl would pass a line end on
    /// into the request, and end at a NUL.
    var defect: HTTPFailure.Kind? {
        guard hasScheme("http://") || hasScheme("https://"),
            url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
        else { return .badURL }
        let isLine = HTTPRequest.isLine
        return isLine(contentType ?? "") && isLine(bearerToken ?? "") ? nil : .badHeader
    }

    /// Text without control characters.
    private static func isLine(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}
